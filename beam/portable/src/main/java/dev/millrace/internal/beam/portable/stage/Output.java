package dev.millrace.internal.beam.portable.stage;

import org.apache.beam.sdk.values.WindowedValue;

/// An element of one of several outputs of a stage.
///
/// @param number of the output among them
public record Output(int number, WindowedValue<?> element) {}

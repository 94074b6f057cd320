package dev.millrace.internal.beam.operators;

import org.apache.beam.sdk.values.WindowedValue;

/// An element of one of several outputs of a transform.
///
/// @param output its number among them
public record Tagged(int output, WindowedValue<?> value) {}

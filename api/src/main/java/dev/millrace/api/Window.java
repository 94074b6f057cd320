package dev.millrace.api;

import java.time.Instant;

/// A period of event time.
///
/// @param start the first moment in it
/// @param end the first moment after it
public record Window(Instant start, Instant end) {}

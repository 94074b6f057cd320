package dev.millrace.api;

import java.time.Instant;

/// A stretch of event time.
///
/// @param start the first moment in it
/// @param end the first moment behind it
public record Window(Instant start, Instant end) {}

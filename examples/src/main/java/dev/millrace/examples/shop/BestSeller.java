package dev.millrace.examples.shop;

import java.time.Instant;

/// A product among those that brought most in a window.
///
/// @param from the start of the window
public record BestSeller(Instant from, int rank, String product, long cents) {}

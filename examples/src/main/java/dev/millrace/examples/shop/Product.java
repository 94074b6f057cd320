package dev.millrace.examples.shop;

import java.time.Instant;

/// A product as it is from some moment on.
///
/// @param shelf where it is kept
public record Product(String name, String category, String shelf, Instant since) {}

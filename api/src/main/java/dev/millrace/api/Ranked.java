package dev.millrace.api;

/// A result and its place among those of its window, or of its window and group.
///
/// @param rank from 1
public record Ranked<K, A>(Window window, int rank, K key, A value) {}

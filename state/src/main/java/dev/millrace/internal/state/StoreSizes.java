package dev.millrace.internal.state;

/// Sizes of the values of a store, in bytes.
///
/// @param largest the largest value that was encoded or read since the task was opened
/// @param most the limit of a value
public record StoreSizes(String store, int largest, int most) {}

package dev.millrace.internal.state;

/// How large the values of a store are, in bytes.
///
/// @param largest that was seen since the task was opened, of those that were encoded or read
/// @param most that there may be
public record StoreSizes(String store, int largest, int most) {}

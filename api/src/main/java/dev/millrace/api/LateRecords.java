package dev.millrace.api;

/// The late records of a window, over all keys.
///
/// @param corrected those that came within the allowed lateness and changed the result
/// @param tooLate those that came behind it and changed nothing
/// @param largestMillis how far the latest of them was behind the watermark, in milliseconds
public record LateRecords(long corrected, long tooLate, long largestMillis) {

  /// Those of two tasks, or of two stretches of time, together.
  public LateRecords plus(LateRecords other) {
    return new LateRecords(
        corrected + other.corrected,
        tooLate + other.tooLate,
        Math.max(largestMillis, other.largestMillis));
  }
}

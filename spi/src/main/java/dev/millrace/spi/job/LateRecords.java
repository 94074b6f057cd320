package dev.millrace.spi.job;

/// Counts of the late records of an operator with windows, over all keys.
///
/// @param corrected how many came within the allowed lateness and changed a result
/// @param tooLate how many came after it and changed nothing
/// @param largestMillis how far the latest of them was behind the watermark, in milliseconds
public record LateRecords(long corrected, long tooLate, long largestMillis) {

  /// Returns the counts of two tasks, or of two periods, together.
  public LateRecords plus(LateRecords other) {
    return new LateRecords(
        corrected + other.corrected,
        tooLate + other.tooLate,
        Math.max(largestMillis, other.largestMillis));
  }
}

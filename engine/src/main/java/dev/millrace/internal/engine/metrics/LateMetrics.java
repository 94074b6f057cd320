package dev.millrace.internal.engine.metrics;

import java.util.concurrent.atomic.AtomicLong;

/// Counters of the late records of an operator in a task, written by its worker and read by anyone.
public final class LateMetrics {
  private final AtomicLong corrected = new AtomicLong();
  private final AtomicLong tooLate = new AtomicLong();
  private final AtomicLong largestMillis = new AtomicLong();

  public void addCorrected(long records, long behindMillis) {
    corrected.addAndGet(records);
    largestMillis.accumulateAndGet(behindMillis, Math::max);
  }

  public void addTooLate(long records, long behindMillis) {
    tooLate.addAndGet(records);
    largestMillis.accumulateAndGet(behindMillis, Math::max);
  }

  /// Records that came within the allowed lateness and changed a result; where windows overlap, as
  /// often as they changed one.
  public long corrected() {
    return corrected.get();
  }

  /// Records that came too late to change anything.
  public long tooLate() {
    return tooLate.get();
  }

  /// How far the latest of them was behind the watermark, in milliseconds.
  public long largestMillis() {
    return largestMillis.get();
  }
}

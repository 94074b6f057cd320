package dev.millrace.internal.engine.operators;

import java.util.function.LongUnaryOperator;

/// Windows of one size that begin at regular times, aligned to 1970-01-01T00:00Z.
///
/// @param sizeMillis the length of each
/// @param everyMillis from the start of one to the start of the next; the size, where they do not
///   overlap
/// @param latenessMillis for how long behind its end a late record corrects a window
public record FixedWindows(long sizeMillis, long everyMillis, long latenessMillis)
    implements AlignedWindows {

  public FixedWindows {
    if (sizeMillis <= 0 || sizeMillis > FARTHEST || everyMillis <= 0 || everyMillis > sizeMillis) {
      throw new IllegalArgumentException(
          "Windows of %d ms every %d ms are not possible: sizes must be positive, without gaps between windows."
              .formatted(sizeMillis, everyMillis));
    }
    if (latenessMillis < 0 || latenessMillis > FARTHEST) {
      throw new IllegalArgumentException("Windows cannot wait for " + latenessMillis + " ms.");
    }
  }

  @Override
  public boolean equalTimes(AlignedWindows others) {
    return others instanceof FixedWindows(var size, var every, _)
        && size == sizeMillis
        && every == everyMillis;
  }

  /// Whether a time is in several windows.
  public boolean overlap() {
    return everyMillis < sizeMillis;
  }

  /// The largest length that divides all windows.
  public long sliceMillis() {
    return greatestDivisor(sizeMillis, everyMillis);
  }

  private static long greatestDivisor(long one, long other) {
    return other == 0 ? one : greatestDivisor(other, one % other);
  }

  @Override
  public LongUnaryOperator slices() {
    long sliceMillis = sliceMillis();
    return time -> AlignedWindows.requireNear(time) - Math.floorMod(time, sliceMillis);
  }

  @Override
  public long lastStart(long time) {
    return AlignedWindows.requireNear(time) - Math.floorMod(time, everyMillis);
  }

  @Override
  public long startBefore(long start) {
    return start - everyMillis;
  }

  @Override
  public long end(long start) {
    return start + sizeMillis;
  }

  @Override
  public long lastClosed(long watermark) {
    return watermark < Long.MIN_VALUE + sizeMillis ? Long.MIN_VALUE : watermark - sizeMillis;
  }
}

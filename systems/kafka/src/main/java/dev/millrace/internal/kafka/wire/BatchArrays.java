package dev.millrace.internal.kafka.wire;

import java.util.ArrayDeque;
import java.util.Arrays;

/// A pool of arrays for batches, which are reused once their batch is acknowledged: without it, a
/// million records a second would make a few hundred megabytes of garbage a second. Used by one
/// thread.
///
/// Small batches have small arrays that are not pooled, so that many partitions with little traffic
/// take little memory. The pool never keeps more than was in use at a time.
public final class BatchArrays {
  private static final int SMALLEST = 4 << 10;

  /// Up to here arrays are doubled and not kept.
  private static final int SMALL = 32 << 10;

  private final int usualBytes;
  private final ArrayDeque<byte[]> free = new ArrayDeque<>();

  /// @param usualBytes how large batches become if there is much to send
  public BatchArrays(int usualBytes) {
    this.usualBytes = usualBytes;
  }

  /// Returns a larger array with what is in one that became too small.
  byte[] grow(byte[] array, int used, int needed) {
    byte[] larger;
    if (needed <= SMALL || usualBytes <= SMALL) {
      larger = new byte[Math.max(SMALLEST, Math.max(needed, Math.min(2 * array.length, SMALL)))];
    } else if (needed <= usualBytes) {
      byte[] kept = free.pollLast();
      larger = kept == null ? new byte[usualBytes] : kept;
    } else {
      larger = new byte[needed];
    }
    System.arraycopy(array, 0, larger, 0, used);
    return larger;
  }

  /// Releases an array that is not used any more.
  void release(byte[] array) {
    assert overwritten(array);
    if (array.length == usualBytes && usualBytes > SMALL) {
      free.addLast(array);
    }
  }

  /// So that a test sees who uses it nevertheless.
  private static boolean overwritten(byte[] array) {
    Arrays.fill(array, (byte) 0xDB);
    return true;
  }
}

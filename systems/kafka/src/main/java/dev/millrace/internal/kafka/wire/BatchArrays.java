package dev.millrace.internal.kafka.wire;

import java.util.ArrayDeque;
import java.util.Arrays;

/// Arrays for batches, which are used again once their batch is acknowledged: at a million records
/// a second the collector would have a few hundred megabytes a second to take away. Used by one
/// thread.
///
/// Batches that stay small have small arrays of their own, so that many partitions with little
/// traffic take little memory. What is kept here is never more than was under way at a time.
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

  /// A larger array with what is in one that became too small.
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

  /// Takes an array back that nobody uses any more.
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

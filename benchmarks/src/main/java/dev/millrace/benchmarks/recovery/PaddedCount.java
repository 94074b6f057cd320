package dev.millrace.benchmarks.recovery;

import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;

/// What every engine keeps for a key: a count, and as many bytes as it takes to have 100. They are
/// random, so that no compression makes the state smaller than it is said to be.
public final class PaddedCount {
  /// What a key's state takes.
  public static final int BYTES = 100;

  private PaddedCount() {}

  /// A count of nothing.
  public static byte[] zero() {
    byte[] count = new byte[BYTES];
    ThreadLocalRandom.current().nextBytes(count);
    ByteBuffer.wrap(count).putLong(0, 0);
    return count;
  }

  /// Counts one more, in place.
  ///
  /// @return the same array
  public static byte[] addOne(byte[] count) {
    ByteBuffer.wrap(count).putLong(0, of(count) + 1);
    return count;
  }

  public static long of(byte[] count) {
    return ByteBuffer.wrap(count).getLong(0);
  }
}

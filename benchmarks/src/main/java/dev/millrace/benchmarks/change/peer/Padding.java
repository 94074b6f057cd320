package dev.millrace.benchmarks.change.peer;

import java.nio.ByteBuffer;

/// The bytes that make the state of a key as large as it is: the same for a key at any time, and
/// such that no compression makes them fewer.
public final class Padding {
  /// A hundred and some bytes a key.
  public static final int BYTES = 120;

  private static final long STEP = 0x9E3779B97F4A7C15L;

  private Padding() {}

  public static byte[] of(long key) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    for (int i = 0; i < BYTES / Long.BYTES; i++) {
      bytes.putLong(mixed(key * (BYTES / Long.BYTES) + i + 1));
    }
    return bytes.array();
  }

  /// Returns the bytes by which the padding of a key is known again.
  public static long mark(byte[] padding) {
    return ByteBuffer.wrap(padding).getLong();
  }

  /// Returns a number that looks drawn, always the same for the same number.
  public static long mixed(long number) {
    long bits = number * STEP;
    bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return bits ^ (bits >>> 31);
  }
}

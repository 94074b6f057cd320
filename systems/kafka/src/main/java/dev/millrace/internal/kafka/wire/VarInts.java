package dev.millrace.internal.kafka.wire;

/// Numbers of variable length: seven bits a byte, lowest first; signed ones are zig-zag encoded, so
/// that small negative numbers are short too.
final class VarInts {
  private VarInts() {}

  static long zigZag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  static long unZigZag(long raw) {
    return (raw >>> 1) ^ -(raw & 1);
  }

  /// Returns how many bytes a number takes.
  static int sizeOf(long raw) {
    return (70 - Long.numberOfLeadingZeros(raw | 1)) / 7;
  }

  /// @return the index behind it
  static int write(byte[] array, int at, long raw) {
    int next = at;
    long rest = raw;
    while ((rest & ~0x7FL) != 0) {
      array[next++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    array[next++] = (byte) rest;
    return next;
  }
}

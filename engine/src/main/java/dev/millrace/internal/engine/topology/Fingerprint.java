package dev.millrace.internal.engine.topology;

import java.nio.charset.StandardCharsets;

/// A number that stands for a text, the same in every process and version: FNV-1a with 64 bits over
/// what is added. Every part carries its length, so that no two sequences of parts look alike.
public final class Fingerprint {
  private static final long START = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private long hash = START;

  /// Adds a part.
  public Fingerprint add(String part) {
    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
    for (int shift = 24; shift >= 0; shift -= 8) {
      addByte((byte) (bytes.length >>> shift));
    }
    for (byte b : bytes) {
      addByte(b);
    }
    return this;
  }

  /// The number for all that was added.
  public long value() {
    return hash;
  }

  /// That number as 16 hexadecimal digits.
  public String text() {
    return "%016x".formatted(hash);
  }

  private void addByte(byte b) {
    hash = (hash ^ (b & 0xFF)) * PRIME;
  }
}

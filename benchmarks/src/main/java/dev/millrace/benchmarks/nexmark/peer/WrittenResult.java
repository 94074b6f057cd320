package dev.millrace.benchmarks.nexmark.peer;

import java.nio.ByteBuffer;

/// How a result of another engine begins in a topic: whether it takes back one that came before,
/// and its fingerprint. Behind that is what the engine makes of it.
public final class WrittenResult {
  /// The bytes before the engine's own.
  public static final int HEAD_BYTES = 1 + Long.BYTES;

  private WrittenResult() {}

  /// Begins a result.
  public static void head(ByteBuffer result, boolean isRetraction, long fingerprint) {
    result.put((byte) (isRetraction ? 1 : 0)).putLong(fingerprint);
  }

  public static boolean isRetraction(byte[] result) {
    return result[0] != 0;
  }

  public static long fingerprint(byte[] result) {
    return ByteBuffer.wrap(result).getLong(1);
  }
}

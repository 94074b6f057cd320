package dev.millrace.testkit.disk;

import java.util.Arrays;
import java.util.Random;

/// The content of one model file: what the process wrote, and how much of it is durable.
final class ModelFile {
  private static final int SECTOR_BYTES = 512;

  private byte[] content = {};
  private int durableBytes;

  /// Bytes in front of it were durable when a sync failed; those after it are lost whatever comes
  /// later.
  private int intactBytes = Integer.MAX_VALUE;

  void append(byte[] bytes, int offset, int length) {
    int before = content.length;
    content = Arrays.copyOf(content, before + length);
    System.arraycopy(bytes, offset, content, before, length);
  }

  void sync() {
    durableBytes = content.length;
  }

  /// As on Linux: the pages are marked clean, so that a later sync succeeds without writing them.
  void failSync() {
    intactBytes = Math.min(intactBytes, durableBytes);
  }

  int length() {
    return content.length;
  }

  void read(int position, byte[] into, int offset, int length) {
    System.arraycopy(content, position, into, offset, length);
  }

  void flip(long bit) {
    content[(int) (bit / 8)] ^= (byte) (1 << (bit % 8));
  }

  void truncate(int newLength) {
    content = Arrays.copyOf(content, newLength);
  }

  /// Power is lost: behind the durable bytes remain some more, of which each sector may be right,
  /// zero or garbage.
  void losePower(Random random) {
    int safe = Math.min(durableBytes, intactBytes);
    int kept = safe + random.nextInt(content.length - safe + 1);
    byte[] left = Arrays.copyOf(content, Math.max(kept, durableBytes));
    for (int at = safe; at < left.length; ) {
      int end = Math.min(left.length, (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
      switch (random.nextInt(4)) {
        case 0 -> Arrays.fill(left, at, end, (byte) 0);
        case 1 -> fill(left, at, end, random);
        default -> {}
      }
      at = end;
    }
    content = left;
    durableBytes = left.length;
    intactBytes = Integer.MAX_VALUE;
  }

  private static void fill(byte[] bytes, int from, int to, Random random) {
    for (int i = from; i < to; i++) {
      bytes[i] = (byte) random.nextInt();
    }
  }
}

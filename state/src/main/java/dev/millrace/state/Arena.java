package dev.millrace.state;

import java.util.Arrays;

/// Bytes of many entries in few arrays, released all at once: nothing for the collector to trace.
///
/// A place is a long, the chunk above and the offset below. Chunks start small and double, so that
/// a task that changes little holds little.
final class Arena {
  private static final int LEAST_CHUNK_BYTES = 4 * 1024;

  /// 4 KB doubled eight times: chunks have at most 1 MB, unless one entry is larger.
  private static final int DOUBLINGS = 8;

  private byte[][] chunks = new byte[4][];
  private int known;
  private int current = -1;
  private int filled;
  private long usedBytes;

  /// Makes room for `length` bytes, which lie together.
  long allocate(int length) {
    if (current < 0 || length > chunks[current].length - filled) {
      nextChunk(length);
    }
    long place = (long) current << 32 | filled;
    filled += length;
    usedBytes += length;
    return place;
  }

  byte[] array(long place) {
    return chunks[(int) (place >>> 32)];
  }

  static int offset(long place) {
    return (int) place;
  }

  /// The bytes allocated since the last [#clear].
  long usedBytes() {
    return usedBytes;
  }

  /// What the chunks take, filled or not.
  long allocatedBytes() {
    long bytes = 0;
    for (int i = 0; i < known; i++) {
      bytes += chunks[i].length;
    }
    return bytes;
  }

  /// Takes all bytes back. Keeps the chunks that were used this time for the next.
  void clear() {
    Arrays.fill(chunks, Math.min(current + 1, known), known, null);
    known = Math.min(current + 1, known);
    current = -1;
    filled = 0;
    usedBytes = 0;
  }

  private void nextChunk(int length) {
    current++;
    filled = 0;
    if (current == chunks.length) {
      byte[][] more = new byte[current * 2][];
      System.arraycopy(chunks, 0, more, 0, current);
      chunks = more;
    }
    if (current >= known) {
      known = current + 1;
      chunks[current] =
          new byte[Math.max(length, LEAST_CHUNK_BYTES << Math.min(current, DOUBLINGS))];
    } else if (chunks[current].length < length) {
      chunks[current] = new byte[length];
    }
  }
}

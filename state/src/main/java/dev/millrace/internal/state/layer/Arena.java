package dev.millrace.internal.state.layer;

import java.util.Arrays;

/// Allocates bytes of many entries in few arrays, which are released all at once and need no
/// tracing by the garbage collector.
///
/// A place is a long, the chunk above and the offset below. Chunks start small and double, so that
/// a task that changes little holds little; they have at most [ArrayPool#BYTES], unless one entry
/// is larger.
final class Arena {
  private static final int LEAST_CHUNK_BYTES = 4 * 1024;

  private final ArrayPool shared;
  private byte[][] chunks = new byte[4][];
  private int known;
  private int current = -1;
  private int filled;
  private long usedBytes;

  /// @param shared where large chunks are taken from
  Arena(ArrayPool shared) {
    this.shared = shared;
  }

  /// Allocates `length` adjacent bytes.
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

  /// Returns the bytes allocated since the last [#clear].
  long usedBytes() {
    return usedBytes;
  }

  /// Returns the memory of the chunks, filled or not.
  long allocatedBytes() {
    long bytes = 0;
    for (int i = 0; i < known; i++) {
      bytes += chunks[i].length;
    }
    return bytes;
  }

  /// Returns how many chunks [#clear] will give back.
  int sharedChunks() {
    int count = 0;
    for (int i = 0; i < known; i++) {
      count += chunks[i].length == ArrayPool.BYTES ? 1 : 0;
    }
    return count;
  }

  /// Releases all bytes, and returns the large chunks to the pool.
  void clear() {
    int kept = 0;
    for (int i = 0; i < known; i++) {
      byte[] chunk = chunks[i];
      if (chunk.length == ArrayPool.BYTES) {
        shared.give(chunk);
      } else if (chunk.length < ArrayPool.BYTES) {
        chunks[kept++] = chunk;
      }
    }
    Arrays.fill(chunks, kept, Math.max(kept, known), null);
    known = kept;
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
      chunks[current] = newChunk(length);
    } else if (chunks[current].length < length) {
      chunks[current] = newChunk(length);
    }
  }

  private byte[] newChunk(int length) {
    long usual = (long) LEAST_CHUNK_BYTES << Math.min(current, Integer.SIZE);
    if (length > ArrayPool.BYTES) {
      return new byte[length];
    }
    return Math.max(usual, length) >= ArrayPool.BYTES
        ? shared.takeBytes()
        : new byte[(int) Math.max(usual, length)];
  }
}

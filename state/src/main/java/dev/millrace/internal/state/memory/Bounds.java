package dev.millrace.internal.state.memory;

import dev.millrace.api.serde.Bytes;
import java.util.Arrays;

/// Ascending keys in one array, so that a search looks at little memory.
final class Bounds {
  private byte[] bytes = new byte[64];

  /// Where each ends.
  private int[] ends = new int[4];

  private int size;

  void clear() {
    size = 0;
  }

  /// Adds the first bytes of an array; empty is below all keys.
  void add(byte[] key, int length) {
    int start = start(size);
    room(size + 1, start + length);
    System.arraycopy(key, 0, bytes, start, length);
    ends[size++] = start + length;
  }

  /// Adds some of others.
  void addAll(Bounds other, int from, int to) {
    int start = start(size);
    int otherStart = other.start(from);
    int length = other.start(to) - otherStart;
    room(size + to - from, start + length);
    System.arraycopy(other.bytes, otherStart, bytes, start, length);
    for (int i = from; i < to; i++) {
      ends[size++] = other.ends[i] - otherStart + start;
    }
  }

  /// Returns whether one of them is not above a key.
  boolean isUpTo(int which, Bytes key) {
    int from = key.offset();
    return Arrays.compareUnsigned(
            bytes, start(which), ends[which], key.array(), from, from + key.length())
        <= 0;
  }

  private int start(int which) {
    return which == 0 ? 0 : ends[which - 1];
  }

  private void room(int keys, int length) {
    if (keys > ends.length) {
      ends = Arrays.copyOf(ends, Math.max(keys, 2 * ends.length));
    }
    if (length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
    }
  }
}

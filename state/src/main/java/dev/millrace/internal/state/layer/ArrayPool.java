package dev.millrace.internal.state.layer;

import java.util.ArrayDeque;
import java.util.Deque;

/// Pools large arrays of the layers of a task: an array that one layer has released is used by the
/// next.
public final class ArrayPool {
  /// 1 MB of keys and values.
  static final int BYTES = 1 << 20;

  /// 128 KB of numbers.
  static final int LONGS = 1 << 14;

  private final Deque<byte[]> bytes = new ArrayDeque<>();
  private final Deque<long[]> longs = new ArrayDeque<>();

  /// How many of them are kept: as many as were given back at once lately.
  private int mostBytes;

  private int mostLongs;

  byte[] takeBytes() {
    byte[] free = bytes.poll();
    return free == null ? new byte[BYTES] : free;
  }

  long[] takeLongs() {
    long[] free = longs.poll();
    return free == null ? new long[LONGS] : free;
  }

  /// Begins to give back.
  ///
  /// @param countOfBytes how many will be
  void expect(int countOfBytes, int countOfLongs) {
    mostBytes = Math.max(countOfBytes, mostBytes - mostBytes / 8);
    mostLongs = Math.max(countOfLongs, mostLongs - mostLongs / 8);
  }

  void give(byte[] array) {
    if (bytes.size() < mostBytes) {
      bytes.push(array);
    }
  }

  void give(long[] array) {
    if (longs.size() < mostLongs) {
      longs.push(array);
    }
  }

  /// Returns the memory of pooled arrays that are not in use.
  long freeBytes() {
    return (long) bytes.size() * BYTES + (long) longs.size() * LONGS * Long.BYTES;
  }
}

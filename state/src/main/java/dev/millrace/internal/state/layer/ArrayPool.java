package dev.millrace.internal.state.layer;

import java.util.ArrayDeque;
import java.util.Deque;

/// Large arrays that the layers of a task lend each other: what one has given back, the next uses,
/// and all of them together take what they hold at a time.
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

  /// What is kept and not lent.
  long freeBytes() {
    return (long) bytes.size() * BYTES + (long) longs.size() * LONGS * Long.BYTES;
  }
}

package dev.millrace.internal.state.layer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Sorts entries by their keys, in unsigned order; equal keys keep their order.
///
/// Keys are scattered in memory, so comparing two of them means waiting for memory at least twice.
/// Here each key is read twice, in the order of the entries, which is mostly that of memory: for
/// the common prefix of all keys, and for the eight bytes after it, its window. The windows are
/// sorted as numbers, byte by byte from the last, together with the entries; a byte that is the
/// same in all takes no time. Only keys with equal windows that are longer than these are read
/// again.
final class KeySort {
  private static final int SMALL = 24;
  private static final int WINDOW = Long.BYTES;
  private static final int DIGITS = 1 << Byte.SIZE;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final KeyedEntries keys;
  private final int[] entries;
  private final int start;
  private final int end;

  /// The length of the common prefix of all keys, in bytes.
  private int common;

  private int shortest = Integer.MAX_VALUE;
  private int longest;

  /// In the order of the entries; none if there are few entries.
  private long[] windows = {};

  private KeySort(KeyedEntries keys, int[] entries, int start, int end, int common) {
    this.keys = keys;
    this.entries = entries;
    this.start = start;
    this.end = end;
    this.common = common;
  }

  /// Sorts some entries.
  static void sort(KeyedEntries keys, int[] entries) {
    new KeySort(keys, entries, 0, entries.length, 0).sort();
  }

  /// Returns the last of the first `count` entries of each key, in the order of the keys.
  static int[] lastOfEach(KeyedEntries keys, int count) {
    int[] entries = new int[count];
    Arrays.setAll(entries, i -> i);
    KeySort sort = new KeySort(keys, entries, 0, count, 0);
    sort.sort();
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i + 1 == count || !sort.isLikeNext(i)) {
        entries[kept++] = entries[i];
      }
    }
    return Arrays.copyOf(entries, kept);
  }

  /// Of entries from 0 on, once they are sorted.
  private boolean isLikeNext(int at) {
    if (windows.length > 0 && (windows[at] != windows[at + 1] || windowsAreAll())) {
      return windows[at] == windows[at + 1];
    }
    return keys.compare(entries[at], entries[at + 1]) == 0;
  }

  /// Returns whether keys with equal windows are equal.
  private boolean windowsAreAll() {
    return shortest == longest && longest - common <= WINDOW;
  }

  private void sort() {
    if (end - start <= SMALL) {
      insertionSort(start, end);
      return;
    }
    measure();
    windows = new long[end - start];
    for (int i = start; i < end; i++) {
      windows[i - start] = window(entries[i]);
    }
    sortWindows();
    if (windowsAreAll()) {
      return;
    }
    int first = 0;
    for (int i = 1; i <= windows.length; i++) {
      if (i == windows.length || windows[i] != windows[first]) {
        if (i - first > 1) {
          sortAlike(start + first, start + i);
        }
        first = i;
      }
    }
  }

  /// Finds what all keys have in common, and how long they are.
  private void measure() {
    int least = common;
    byte[] first = keys.keyArray(entries[start]);
    int firstStart = keys.keyOffset(entries[start]);
    common = Integer.MAX_VALUE;
    for (int i = start; i < end; i++) {
      int entry = entries[i];
      int length = keys.keyLength(entry);
      shortest = Math.min(shortest, length);
      longest = Math.max(longest, length);
      common = Math.min(common, length);
      if (common > least) {
        int other = keys.keyOffset(entry);
        int differs =
            Arrays.mismatch(
                first,
                firstStart + least,
                firstStart + common,
                keys.keyArray(entry),
                other + least,
                other + common);
        common = differs < 0 ? common : least + differs;
      }
    }
  }

  /// Returns the eight bytes of a key after the common prefix, padded with zeros.
  private long window(int entry) {
    byte[] array = keys.keyArray(entry);
    int at = keys.keyOffset(entry) + common;
    int bytes = Math.min(WINDOW, keys.keyLength(entry) - common);
    if (bytes <= 0) {
      return 0;
    }
    if (at + WINDOW <= array.length) {
      return (long) LONG.get(array, at) & -1L << (WINDOW - bytes) * Byte.SIZE;
    }
    long window = 0;
    for (int i = 0; i < WINDOW; i++) {
      window = window << Byte.SIZE | (i < bytes ? array[at + i] & 0xFF : 0);
    }
    return window;
  }

  private void sortWindows() {
    int count = windows.length;
    int[] counts = new int[WINDOW * DIGITS];
    for (long window : windows) {
      for (int digit = 0; digit < WINDOW; digit++) {
        counts[digit * DIGITS + value(window, digit)]++;
      }
    }
    int[] from = Arrays.copyOfRange(entries, start, end);
    int[] to = new int[count];
    long[] toWindows = new long[count];
    int[] places = new int[DIGITS];
    for (int digit = 0; digit < WINDOW; digit++) {
      int base = digit * DIGITS;
      if (counts[base + value(windows[0], digit)] == count) {
        continue;
      }
      for (int i = 0, place = 0; i < DIGITS; i++) {
        places[i] = place;
        place += counts[base + i];
      }
      for (int i = 0; i < count; i++) {
        int place = places[value(windows[i], digit)]++;
        toWindows[place] = windows[i];
        to[place] = from[i];
      }
      long[] emptyWindows = windows;
      windows = toWindows;
      toWindows = emptyWindows;
      int[] empty = from;
      from = to;
      to = empty;
    }
    System.arraycopy(from, 0, entries, start, count);
  }

  /// Returns the byte of a window, counted from the last.
  private static int value(long window, int digit) {
    return (int) (window >>> digit * Byte.SIZE) & DIGITS - 1;
  }

  /// Sorts keys with equal windows.
  private void sortAlike(int from, int to) {
    if (to - from <= SMALL) {
      insertionSort(from, to);
      return;
    }
    int known = common + WINDOW;
    for (int i = from; i < to; i++) {
      if (keys.keyLength(entries[i]) < known) {
        // Among these are keys that end here and others that go on with zeros: rare, and few.
        sortByComparing(from, to);
        return;
      }
    }
    new KeySort(keys, entries, from, to, known).sort();
  }

  private void sortByComparing(int from, int to) {
    int[] sorted =
        Arrays.stream(entries, from, to).boxed().sorted(keys::compare).mapToInt(i -> i).toArray();
    System.arraycopy(sorted, 0, entries, from, sorted.length);
  }

  private void insertionSort(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      int entry = entries[i];
      int at = i;
      while (at > from && keys.compare(entries[at - 1], entry) > 0) {
        entries[at] = entries[at - 1];
        at--;
      }
      entries[at] = entry;
    }
  }
}

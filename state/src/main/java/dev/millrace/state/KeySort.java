package dev.millrace.state;

import java.util.Arrays;

/// Sorts entries by their keys, in unsigned order; equal keys stay in the order they have.
///
/// Keys lie scattered, so comparing two of them costs two misses of the processor's cache. Instead
/// the four bytes behind what all keys have in common are read once a key and sorted as numbers
/// together with the key's place; only keys that agree in them are looked at again, in the same
/// way.
final class KeySort {
  private static final int SMALL = 24;

  private KeySort() {}

  static void sort(Keys table, int[] entries) {
    sort(table, entries, 0, entries.length, 0);
  }

  /// @param common how many first bytes all keys have in common at least
  private static void sort(Keys table, int[] entries, int start, int end, int common) {
    int count = end - start;
    if (count <= SMALL) {
      insertionSort(table, entries, start, end);
      return;
    }
    int depth = commonPrefix(table, entries, start, end, common);
    int[] before = Arrays.copyOfRange(entries, start, end);
    long[] order = new long[count];
    for (int i = 0; i < count; i++) {
      order[i] = (long) window(table, before[i], depth) << 32 | i;
    }
    Arrays.sort(order);
    for (int i = 0; i < count; i++) {
      entries[start + i] = before[(int) order[i]];
    }
    int first = 0;
    for (int i = 1; i <= count; i++) {
      if (i == count || order[i] >> 32 != order[first] >> 32) {
        if (i - first > 1) {
          sortAlike(table, entries, start + first, start + i, depth + Integer.BYTES);
        }
        first = i;
      }
    }
  }

  /// Sorts keys that agree up to `depth`, those that end before it filled up with zeros.
  private static void sortAlike(Keys table, int[] entries, int start, int end, int depth) {
    for (int i = start; i < end; i++) {
      if (table.keyLength(entries[i]) < depth) {
        // Among these are keys that end here and others that go on with zeros: rare, and few.
        sortByComparing(table, entries, start, end);
        return;
      }
    }
    sort(table, entries, start, end, depth);
  }

  private static void sortByComparing(Keys table, int[] entries, int start, int end) {
    int[] sorted =
        Arrays.stream(entries, start, end)
            .boxed()
            .sorted(table::compare)
            .mapToInt(i -> i)
            .toArray();
    System.arraycopy(sorted, 0, entries, start, sorted.length);
  }

  private static void insertionSort(Keys table, int[] entries, int start, int end) {
    for (int i = start + 1; i < end; i++) {
      int entry = entries[i];
      int at = i;
      while (at > start && table.compare(entries[at - 1], entry) > 0) {
        entries[at] = entries[at - 1];
        at--;
      }
      entries[at] = entry;
    }
  }

  private static int commonPrefix(Keys table, int[] entries, int start, int end, int least) {
    byte[] first = table.keyArray(entries[start]);
    int firstStart = table.keyOffset(entries[start]);
    int common = table.keyLength(entries[start]);
    for (int i = start + 1; i < end && common > least; i++) {
      int entry = entries[i];
      int other = table.keyOffset(entry);
      int length = Math.min(common, table.keyLength(entry));
      int differs =
          Arrays.mismatch(
              first, firstStart, firstStart + length, table.keyArray(entry), other, other + length);
      common = differs < 0 ? length : differs;
    }
    return Math.max(common, least);
  }

  /// Four bytes of a key as a number in their unsigned order; zeros stand for what is not there.
  private static int window(Keys table, int entry, int depth) {
    byte[] array = table.keyArray(entry);
    int at = table.keyOffset(entry) + depth;
    int end = table.keyOffset(entry) + table.keyLength(entry);
    int window = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      window = window << 8 | (at + i < end ? array[at + i] & 0xFF : 0);
    }
    return window ^ Integer.MIN_VALUE;
  }
}

package dev.millrace.internal.state.memory;

import java.util.Arrays;

/// Entries in order with numbers made of eight bytes of their keys.
final class Numbered {
  private final Entries entries;
  private long[] numbers = new long[2 * LeafList.MOST];
  private long[] all = new long[2 * LeafList.MOST];
  private int size;
  private int from;

  Numbered(Entries entries) {
    this.entries = entries;
  }

  /// Removes all entries.
  ///
  /// @param newFrom how many bytes of each key are before those of its number
  void clear(int newFrom) {
    size = 0;
    from = newFrom;
  }

  int size() {
    return size;
  }

  /// Returns how many bytes of each key are before those of its number.
  int from() {
    return from;
  }

  long entry(int i) {
    return all[i];
  }

  /// Returns the number that begins at some byte; looks at the entry only if it is not the usual
  /// one.
  long number(int i, int fromByte) {
    return fromByte == from ? numbers[i] : entries.number(all[i], fromByte);
  }

  void add(long number, long entry) {
    room(size + 1);
    numbers[size] = number;
    all[size++] = entry;
  }

  /// Puts all entries of a leaf before the others.
  void prepend(LeafList list, int leaf) {
    int count = list.count(leaf);
    room(size + count);
    System.arraycopy(numbers, 0, numbers, count, size);
    System.arraycopy(all, 0, all, count, size);
    size += count;
    for (int slot = 0; slot < count; slot++) {
      long entry = list.entry(leaf, slot);
      all[slot] = entry;
      numbers[slot] =
          list.shared(leaf) == from ? list.number(leaf, slot) : entries.number(entry, from);
    }
  }

  private void room(int needed) {
    if (needed > all.length) {
      numbers = Arrays.copyOf(numbers, Math.max(needed, 2 * numbers.length));
      all = Arrays.copyOf(all, Math.max(needed, 2 * all.length));
    }
  }
}

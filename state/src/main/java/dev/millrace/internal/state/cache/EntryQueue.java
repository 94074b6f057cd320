package dev.millrace.internal.state.cache;

/// Numbers of entries, the first that is added being the first that is removed. It grows and does
/// not shrink.
final class EntryQueue {
  private static final int LEAST = 16;

  private int[] entries = new int[LEAST];
  private int head;
  private int count;

  boolean isEmpty() {
    return count == 0;
  }

  void add(int entry) {
    if (count == entries.length) {
      int[] longer = new int[count * 2];
      int untilWrap = count - head;
      System.arraycopy(entries, head, longer, 0, untilWrap);
      System.arraycopy(entries, 0, longer, untilWrap, head);
      entries = longer;
      head = 0;
    }
    entries[head + count & entries.length - 1] = entry;
    count++;
  }

  /// Removes and returns the first; only if the queue [#isEmpty] not.
  int remove() {
    int entry = entries[head];
    head = head + 1 & entries.length - 1;
    count--;
    return entry;
  }

  /// Drops everything, and the memory with it.
  void clear() {
    entries = new int[LEAST];
    head = 0;
    count = 0;
  }
}

package dev.millrace.internal.state.layer;

import dev.millrace.api.serde.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A sorted index of some entries of a table, which is updated only when it is read.
///
/// New entries are noted in an unsorted tail, which costs next to nothing. A reader sorts the tail
/// into a run and merges it with the last runs as long as they are not much longer, so that there
/// are at most about log n of them, each entry is merged about log n times, and a reader finds its
/// place in each by bisection. Entries are only removed all at once.
public final class SortedIndex {
  private static final int LEAST_TAIL = 16;

  private final ByteTable table;
  private final List<int[]> runs = new ArrayList<>();
  private int[] tail = new int[LEAST_TAIL];
  private int tailCount;

  public SortedIndex(ByteTable table) {
    this.table = table;
  }

  /// Notes an entry that is not in the index.
  public void add(int entry) {
    if (tailCount == tail.length) {
      tail = Arrays.copyOf(tail, tailCount * 2);
    }
    tail[tailCount++] = entry;
  }

  /// Returns the memory of its arrays.
  long allocatedBytes() {
    long entries = tail.length;
    for (int[] run : runs) {
      entries += run.length;
    }
    return entries * Integer.BYTES;
  }

  public void clear() {
    runs.clear();
    if (tail.length > LEAST_TAIL) {
      tail = new int[LEAST_TAIL];
    }
    tailCount = 0;
  }

  /// Runs of entries, each in ascending order of key; no entry is in two.
  List<int[]> runs() {
    if (tailCount > 0) {
      int[] run = Arrays.copyOf(tail, tailCount);
      tailCount = 0;
      KeySort.sort(table, run);
      while (!runs.isEmpty() && runs.getLast().length < 2 * run.length) {
        run = merge(runs.removeLast(), run);
      }
      runs.add(run);
    }
    return runs;
  }

  /// Adds what lies between two keys to the parts of a range, as `reader` reads it.
  public void addRange(List<SortedEntries> into, Bytes from, Bytes to, Reader reader) {
    for (int[] run : runs()) {
      int start = seek(run, from);
      int end = seek(run, to);
      if (start < end) {
        into.add(reader.read(run, start, end));
      }
    }
  }

  /// Reads a part of the entries of one of the runs here.
  @FunctionalInterface
  public interface Reader {
    SortedEntries read(int[] entries, int start, int end);
  }

  /// Returns the first place in a run whose key is not below `key`.
  private int seek(int[] run, Bytes key) {
    int low = 0;
    int high = run.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int entry = run[middle];
      int start = table.keyOffset(entry);
      int order =
          Arrays.compareUnsigned(
              table.keyArray(entry),
              start,
              start + table.keyLength(entry),
              key.array(),
              key.offset(),
              key.offset() + key.length());
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int[] merge(int[] one, int[] other) {
    int[] merged = new int[one.length + other.length];
    int left = 0;
    int right = 0;
    for (int at = 0; at < merged.length; at++) {
      boolean takeLeft =
          right >= other.length
              || (left < one.length && table.compare(one[left], other[right]) <= 0);
      merged[at] = takeLeft ? one[left++] : other[right++];
    }
    return merged;
  }
}

package dev.millrace.api.serde;

import java.util.Arrays;

/// Puts the entries of a set or map into the order of their bytes, since the order of iteration
/// says nothing: equal sets must become equal bytes. A reader checks the order, which also finds
/// duplicates.
final class SortedEntries {
  private final BytesWriter out;
  private final int[] starts;
  private final int[] keyEnds;
  private int count;

  SortedEntries(BytesWriter out, int size) {
    this.out = out;
    starts = new int[size];
    keyEnds = new int[size];
  }

  /// The next entry starts here.
  void start() {
    if (count == starts.length) {
      throw new SerdeException("a collection of " + count + " entries gave more");
    }
    starts[count] = out.length();
  }

  /// The part of the entry that must be unique ends here.
  void keyEnd() {
    keyEnds[count++] = out.length();
  }

  /// All entries are written.
  void finish() {
    if (count != starts.length) {
      throw new SerdeException("a collection of " + starts.length + " entries gave " + count);
    }
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, this::compare);
    for (int i = 1; i < count; i++) {
      if (compare(order[i - 1], order[i]) == 0) {
        throw new SerdeException("two elements or keys have the same bytes");
      }
    }
    rearrange(order);
  }

  private int compare(int left, int right) {
    byte[] array = out.array();
    return Arrays.compareUnsigned(
        array, starts[left], keyEnds[left], array, starts[right], keyEnds[right]);
  }

  private void rearrange(Integer[] order) {
    int first = count == 0 ? out.length() : starts[0];
    byte[] entries = Arrays.copyOfRange(out.array(), first, out.length());
    int end = out.length();
    out.truncate(first);
    for (int entry : order) {
      int until = entry + 1 < count ? starts[entry + 1] : end;
      out.write(entries, starts[entry] - first, until - starts[entry]);
    }
  }

  /// Checks, entry by entry, the order that [#finish] made.
  static final class Check {
    private final BytesReader in;
    private int start;
    private int end = -1;

    Check(BytesReader in) {
      this.in = in;
    }

    /// The element or key from `from` to here was read.
    void key(int from) {
      byte[] array = in.array();
      int until = in.index();
      if (end >= 0 && Arrays.compareUnsigned(array, start, end, array, from, until) >= 0) {
        throw new SerdeException(
            "the elements of a set or map are not in the order of their bytes");
      }
      start = from;
      end = until;
    }
  }
}

package dev.millrace.internal.state.layer;

import java.util.List;

/// A view of the entries of several layers in the order of their keys: of equal keys, the entry of
/// the uppermost layer is returned, and a deletion hides the entries below it.
///
/// The cursors of the layers stand sorted by their current keys. Moving on costs one comparison as
/// long as the same cursor stays first, which is the rule.
public final class MergeRange implements AutoCloseable {
  private final List<SortedEntries> all;
  private final SortedEntries[] cursors;
  private int count;
  private boolean started;

  MergeRange(List<SortedEntries> all) {
    this.all = all;
    cursors = new SortedEntries[all.size()];
  }

  /// Moves to the next entry that is not deleted, first to the first.
  public boolean next() {
    if (!started) {
      start();
    } else {
      advance(0);
    }
    for (; count > 0; advance(0)) {
      while (count > 1 && cursors[0].key().equals(cursors[1].key())) {
        advance(1);
      }
      if (!cursors[0].isDeleted()) {
        return true;
      }
    }
    return false;
  }

  /// Returns the cursor that holds the current entry.
  public SortedEntries current() {
    return cursors[0];
  }

  @Override
  public void close() {
    all.forEach(SortedEntries::close);
  }

  private void start() {
    started = true;
    for (SortedEntries cursor : all) {
      if (cursor.next()) {
        int at = count++;
        while (at > 0 && isBehind(cursors[at - 1], cursor)) {
          cursors[at] = cursors[at - 1];
          at--;
        }
        cursors[at] = cursor;
      }
    }
  }

  private void advance(int index) {
    SortedEntries cursor = cursors[index];
    int at = index;
    if (cursor.next()) {
      for (; at + 1 < count && isBehind(cursor, cursors[at + 1]); at++) {
        cursors[at] = cursors[at + 1];
      }
      cursors[at] = cursor;
    } else {
      System.arraycopy(cursors, index + 1, cursors, index, --count - index);
    }
  }

  private static boolean isBehind(SortedEntries one, SortedEntries other) {
    int order = one.key().compareTo(other.key());
    return order > 0 || (order == 0 && one.rank() > other.rank());
  }
}

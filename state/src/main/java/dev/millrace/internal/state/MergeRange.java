package dev.millrace.internal.state;

import java.util.List;

/// One view of several runs in the order of their keys: of equal keys the upper layer's is shown,
/// and a deletion hides what lies below it.
///
/// The runs stand sorted by their current keys. Moving on costs one comparison as long as the same
/// run stays first, which is the rule.
final class MergeRange implements AutoCloseable {
  private final List<Run> all;
  private final Run[] runs;
  private int count;
  private boolean started;

  MergeRange(List<Run> all) {
    this.all = all;
    runs = new Run[all.size()];
  }

  /// Moves to the next entry that is not deleted, first to the first.
  boolean next() {
    if (!started) {
      start();
    } else {
      advance(0);
    }
    for (; count > 0; advance(0)) {
      while (count > 1 && runs[0].key.equals(runs[1].key)) {
        advance(1);
      }
      if (!runs[0].isDeleted()) {
        return true;
      }
    }
    return false;
  }

  /// The run that holds the current entry.
  Run current() {
    return runs[0];
  }

  @Override
  public void close() {
    all.forEach(Run::close);
  }

  private void start() {
    started = true;
    for (Run run : all) {
      if (run.next()) {
        int at = count++;
        while (at > 0 && isBehind(runs[at - 1], run)) {
          runs[at] = runs[at - 1];
          at--;
        }
        runs[at] = run;
      }
    }
  }

  private void advance(int index) {
    Run run = runs[index];
    int at = index;
    if (run.next()) {
      for (; at + 1 < count && isBehind(run, runs[at + 1]); at++) {
        runs[at] = runs[at + 1];
      }
      runs[at] = run;
    } else {
      System.arraycopy(runs, index + 1, runs, index, --count - index);
    }
  }

  private static boolean isBehind(Run one, Run other) {
    int order = one.key.compareTo(other.key);
    return order > 0 || (order == 0 && one.rank > other.rank);
  }
}

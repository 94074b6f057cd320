package dev.millrace.internal.state.run;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads several runs as one: each key once, with its entry in the newest run that has it.
final class MergedRuns implements Disk.SortedRun {
  private final List<RunCursor> newestFirst;
  private final boolean keepDeletions;
  private final List<RunCursor> atKey = new ArrayList<>();
  private final List<RunCursor> live = new ArrayList<>();
  private boolean started;

  /// @param keepDeletions whether deleted keys are entries too; they must be if an older run, which
  ///   is not among these, may have the key
  MergedRuns(List<RunCursor> newestFirst, boolean keepDeletions) {
    this.newestFirst = newestFirst;
    this.keepDeletions = keepDeletions;
  }

  @Override
  public boolean next() {
    while (step()) {
      if (keepDeletions || value() != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Bytes key() {
    return atKey.getFirst().key();
  }

  @Override
  public @Nullable Bytes value() {
    return atKey.getFirst().value();
  }

  private boolean step() {
    if (!started) {
      started = true;
      newestFirst.stream().filter(RunCursor::next).forEach(live::add);
    } else {
      for (RunCursor run : atKey) {
        if (!run.next()) {
          live.remove(run);
        }
      }
    }
    atKey.clear();
    for (RunCursor run : live) {
      int order = atKey.isEmpty() ? 0 : run.key().compareTo(atKey.getFirst().key());
      if (order < 0) {
        atKey.clear();
      }
      if (order <= 0) {
        atKey.add(run);
      }
    }
    return !atKey.isEmpty();
  }
}

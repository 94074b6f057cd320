package dev.millrace.internal.state.run;

import dev.millrace.internal.state.local.OpenDisks;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import java.util.List;
import java.util.SortedSet;

/// The disks of a process's tasks, made of sorted runs in one folder of files. Thread-safe.
public final class SortedRunDisks implements Disks {
  private static final int MOST_RUNS = 8;

  private final RunFiles files;
  private final int mostRuns;
  private final OpenDisks open = new OpenDisks();

  /// @param files closed with this object
  public SortedRunDisks(RunFiles files) {
    this(files, MOST_RUNS);
  }

  /// @param files closed with this object
  /// @param mostRuns how many runs a task may have, at least two; the more, the less is rewritten
  ///   by merging and the more runs a read has to look into
  public SortedRunDisks(RunFiles files, int mostRuns) {
    if (mostRuns < 2) {
      throw new IllegalArgumentException("a disk must be allowed two runs, not " + mostRuns);
    }
    this.files = files;
    this.mostRuns = mostRuns;
  }

  @Override
  public Disk open(String task) {
    return open.open(
        task, afterClose -> new SortedRunDisk(new TaskFiles(files, task), mostRuns, afterClose));
  }

  @Override
  public void wipe(String task) {
    open.whileClosed(task, () -> new TaskFiles(files, task).wipe());
  }

  @Override
  public DiskStage stage(String task) {
    return open.keepClosed(task, afterClose -> new SortedRunStage(files, task, afterClose));
  }

  @Override
  public SortedSet<String> stored() {
    return TaskFiles.stored(files);
  }

  @Override
  public void close() {
    OpenDisks.closeAll(List.of(open::closeAll, files::close));
  }
}

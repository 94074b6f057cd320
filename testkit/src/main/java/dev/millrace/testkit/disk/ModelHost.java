package dev.millrace.testkit.disk;

import dev.millrace.spi.Disks;
import dev.millrace.state.run.SortedRunDisks;

/// A host whose files are a model of files.
public final class ModelHost implements Host {
  private final ModelFiles files;
  private final int mostRuns;
  private long dieAtOperation = Long.MAX_VALUE;

  /// @param mostRuns how many sorted runs a task's disk may have before it merges some
  public ModelHost(ModelFiles files, int mostRuns) {
    this.files = files;
    this.mostRuns = mostRuns;
  }

  public ModelFiles files() {
    return files;
  }

  @Override
  public Disks mount() {
    return new SortedRunDisks(files.mount(), mostRuns);
  }

  @Override
  public void kill() {
    dieAtOperation = Long.MAX_VALUE;
    files.kill();
  }

  @Override
  public void losePower() {
    dieAtOperation = Long.MAX_VALUE;
    files.losePower();
  }

  @Override
  public void dieAfter(int operations) {
    dieAtOperation = files.operations() + operations;
    files.crashAt(dieAtOperation);
  }

  @Override
  public boolean died() {
    return files.operations() >= dieAtOperation;
  }
}

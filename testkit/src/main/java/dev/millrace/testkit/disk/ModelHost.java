package dev.millrace.testkit.disk;

import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.Seed;
import java.util.List;

/// A host whose files are a model of files.
public final class ModelHost implements Host {
  private final ModelFiles files;
  private final int mostRuns;
  private long dieAtOperation = Long.MAX_VALUE;
  private boolean worn;

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
  public void failNext(int operations) {
    files.failBetween(files.operations() + 1, files.operations() + operations);
  }

  @Override
  public void fill(int bytes) {
    files.limitBytes(files.usedBytes() + bytes);
  }

  @Override
  public void free() {
    files.limitBytes(Long.MAX_VALUE);
  }

  @Override
  public void wear(Seed draw) {
    List<String> names = List.copyOf(files.names());
    if (!names.isEmpty()) {
      String name = draw.pick(names);
      int bytes = files.lengthOf(name);
      if (bytes > 0) {
        files.flipBit(name, draw.below(bytes * 8));
        worn = true;
      }
    }
  }

  @Override
  public boolean worn() {
    return worn;
  }

  @Override
  public boolean died() {
    return files.operations() >= dieAtOperation;
  }
}

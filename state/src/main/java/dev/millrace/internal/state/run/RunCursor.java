package dev.millrace.internal.state.run;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import org.jspecify.annotations.Nullable;

/// The entries of one run from a key on, including deletions.
final class RunCursor implements Disk.SortedRun {
  private final RunReader run;
  private final Bytes from;
  private int nextBlock;
  private RunReader.Entries entries = new RunReader.Entries(new byte[0]);
  private boolean started;

  /// @param block the first block that may hold a key not less than `from`
  RunCursor(RunReader run, int block, Bytes from) {
    this.run = run;
    this.nextBlock = block;
    this.from = from;
  }

  @Override
  public boolean next() {
    while (step()) {
      if (started || entries.key().compareTo(from) >= 0) {
        started = true;
        return true;
      }
    }
    return false;
  }

  @Override
  public Bytes key() {
    return entries.key();
  }

  @Override
  public @Nullable Bytes value() {
    return entries.value();
  }

  private boolean step() {
    while (!entries.next()) {
      if (nextBlock >= run.blocks()) {
        return false;
      }
      entries = new RunReader.Entries(run.readBlock(nextBlock));
      nextBlock++;
    }
    return true;
  }
}

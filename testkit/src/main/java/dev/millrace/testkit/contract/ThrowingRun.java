package dev.millrace.testkit.contract;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import org.jspecify.annotations.Nullable;

/// Fails after a number of entries.
final class ThrowingRun implements Disk.SortedRun {
  private final Disk.SortedRun run;
  private int left;

  ThrowingRun(Disk.SortedRun run, int entries) {
    this.run = run;
    left = entries;
  }

  @Override
  public boolean next() {
    if (left-- == 0) {
      throw new UnsupportedOperationException("the run fails on purpose");
    }
    return run.next();
  }

  @Override
  public Bytes key() {
    return run.key();
  }

  @Override
  public @Nullable Bytes value() {
    return run.value();
  }
}

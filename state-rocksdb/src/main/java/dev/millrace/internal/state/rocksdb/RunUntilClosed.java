package dev.millrace.internal.state.rocksdb;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A run that ends with a failure when its disk is closed.
///
/// @param disk for the message
record RunUntilClosed(Disk.SortedRun run, BooleanSupplier closed, Path disk)
    implements Disk.SortedRun {

  @Override
  public boolean next() {
    if (closed.getAsBoolean()) {
      throw new IllegalStateException("the disk " + disk + " was closed");
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

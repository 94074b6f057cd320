package dev.millrace.internal.state.rocksdb;

import dev.millrace.spi.Disk;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// An ingest that runs on another thread.
///
/// @param afterwards done when the other thread is through, whatever came of it
record BackgroundIngest(Future<?> written, Consumer<Future<?>> afterwards) implements Disk.Ingest {

  @Override
  public boolean ready() {
    return written.isDone();
  }

  @Override
  public void finish() {
    OtherThread.await(written);
    afterwards.accept(written);
  }
}

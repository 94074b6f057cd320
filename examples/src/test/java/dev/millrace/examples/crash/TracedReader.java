package dev.millrace.examples.crash;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;

/// Says when a worker gets records to process, and from when to when it restores.
final class TracedReader implements SplitReader {
  private final SplitReader inner;
  private final TraceFile trace;
  private final boolean restores;
  private boolean restoring;

  /// @param restores whether this reader replays changelogs
  TracedReader(SplitReader inner, TraceFile trace, boolean restores) {
    this.inner = inner;
    this.trace = trace;
    this.restores = restores;
  }

  @Override
  public void add(Split split, Position start) {
    if (restores && !restoring) {
      restoring = true;
      trace.add("restore begun");
    }
    inner.add(split, start);
  }

  @Override
  public RecordBatch poll(Duration atMost) {
    RecordBatch batch = inner.poll(atMost);
    if (batch != null && !restores && batch.size() > 0) {
      trace.add("processing " + batch.size());
    }
    return batch;
  }

  @Override
  public void close() {
    inner.close();
    if (restoring) {
      restoring = false;
      trace.add("restore ended");
    }
  }

  @Override
  public void remove(Split split) {
    inner.remove(split);
  }

  @Override
  public void pause(Split split) {
    inner.pause(split);
  }

  @Override
  public void resume(Split split) {
    inner.resume(split);
  }

  @Override
  public long endOffset(Split split) {
    return inner.endOffset(split);
  }

  @Override
  public void wakeup() {
    inner.wakeup();
  }
}

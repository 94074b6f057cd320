package dev.millrace.examples.crash;

import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/// Says when a worker gets records to process, and from when to when it restores: while it reads
/// changelogs.
final class TracedReader implements SplitReader {
  private static final String CHANGELOG = "-changelog";

  private final SplitReader inner;
  private final TraceFile trace;
  private final Set<Split> restoring = new HashSet<>();

  TracedReader(SplitReader inner, TraceFile trace) {
    this.inner = inner;
    this.trace = trace;
  }

  @Override
  public void add(Split split, Position start) {
    if (split.stream().endsWith(CHANGELOG)) {
      if (restoring.isEmpty()) {
        trace.add("restore begun");
      }
      restoring.add(split);
    }
    inner.add(split, start);
  }

  @Override
  public RecordBatch poll(Duration atMost) {
    RecordBatch batch = inner.poll(atMost);
    if (batch != null && restoring.isEmpty() && batch.size() > 0) {
      trace.add("processing " + batch.size());
    }
    return batch;
  }

  @Override
  public void close() {
    inner.close();
  }

  @Override
  public void remove(Split split) {
    inner.remove(split);
    if (restoring.remove(split) && restoring.isEmpty()) {
      trace.add("restore ended");
    }
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

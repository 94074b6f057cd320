package dev.millrace.internal.engine.output;

import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Report;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.spi.Clock;
import dev.millrace.spi.RecordBatch;
import java.time.Duration;
import java.util.List;

/// Hands what leaves a worker's tasks to their commit group before the commit, in full batches, and
/// tells when so much of it is under way that nothing more may be processed.
public final class OutputFlush {
  private static final long APART_NANOS = Duration.ofMillis(1).toNanos();

  private final Outbox outbox;
  private final long shareBytes;
  private final Mailbox group;
  private final Clock clock;
  private final WorkerMetrics metrics;
  private long handedOverNanos;
  private boolean waiting;
  private long waitingSinceNanos;

  /// @param shareBytes of memory for what waits to leave or is under way
  public OutputFlush(
      Outbox outbox, long shareBytes, Mailbox group, Clock clock, WorkerMetrics metrics) {
    this.outbox = outbox;
    this.shareBytes = shareBytes;
    this.group = group;
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Hands over the batches that are full; all of them if those that are not are too many.
  public void handOver() {
    boolean all = outbox.openBytes() > shareBytes / 2;
    handOver(all ? outbox.drain() : outbox.takeFull());
  }

  /// Hands over all that is there while nothing else is to be done: where it is written outside the
  /// transaction it can be seen before the commit. Not all the time, or batches would be tiny.
  public void handOverOutside(long nowNanos) {
    if (nowNanos - handedOverNanos >= APART_NANOS && outbox.openBytes() > 0) {
      handedOverNanos = nowNanos;
      handOverAll();
    }
  }

  /// Hands over all that is there.
  public void handOverAll() {
    handOver(outbox.drain());
  }

  public void handOver(List<RecordBatch> batches) {
    if (!batches.isEmpty()) {
      group.tell(new Report.Early(batches));
    }
  }

  /// Whether there is room for more.
  public boolean haveRoom() {
    boolean room = outbox.bytes() <= shareBytes;
    if (room == waiting) {
      long now = clock.nanos();
      if (room) {
        metrics.outboxWaited(now - waitingSinceNanos);
      } else {
        metrics.outboxWaits();
        waitingSinceNanos = now;
      }
      waiting = !room;
    }
    return room;
  }

  /// Tells the metrics what waits or is under way.
  public void measure() {
    metrics.outboxBytes(outbox.bytes());
  }
}

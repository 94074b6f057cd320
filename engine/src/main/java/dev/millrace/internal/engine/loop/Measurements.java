package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Report;
import dev.millrace.internal.engine.input.Fetcher;
import dev.millrace.internal.engine.output.OutputFlush;
import dev.millrace.spi.SplitReader;
import java.time.Duration;

/// Looks now and then at what changes all the time and need not be known at once: idle inputs, and
/// what metrics and the commit group are told.
final class Measurements {
  private static final long IDLE_CHECK_NANOS = Duration.ofMillis(10).toNanos();
  private static final long EVERY_NANOS = Duration.ofMillis(500).toNanos();

  private final WorkerContext context;
  private final WorkerTasks tasks;
  private final SplitReader reader;
  private final Fetcher fetcher;
  private final OutputFlush outputFlush;
  private final Mailbox group;
  private final StoreMeasurement stores = new StoreMeasurement();
  private long measuredNanos;
  private long idleCheckedNanos;

  /// How many records were processed when it was measured last.
  private long processed;

  /// Whether more records wait than were processed since.
  private boolean behind;

  Measurements(
      WorkerContext context,
      WorkerTasks tasks,
      SplitReader reader,
      Fetcher fetcher,
      OutputFlush outputFlush,
      Mailbox group) {
    this.context = context;
    this.tasks = tasks;
    this.reader = reader;
    this.fetcher = fetcher;
    this.outputFlush = outputFlush;
    this.group = group;
  }

  void look(long nowNanos) {
    if (nowNanos - idleCheckedNanos >= IDLE_CHECK_NANOS) {
      idleCheckedNanos = nowNanos;
      for (Task task : tasks.all()) {
        task.advancing().updateIdle(reader::endOffset, nowNanos);
      }
    }
    if (nowNanos - measuredNanos < EVERY_NANOS) {
      return;
    }
    measuredNanos = nowNanos;
    tasks.share();
    stores.step(tasks.all(), nowNanos);
    for (Task task : tasks.all()) {
      task.measure(reader::endOffset);
    }
    measureBacklog();
    fetcher.measure();
    outputFlush.measure();
    context.badResults().log().look();
  }

  /// Tells the group when the worker falls far behind its input, and when it does so no more.
  private void measureBacklog() {
    long lag = 0;
    long all = 0;
    for (Task task : tasks.all()) {
      lag += Math.max(0, task.metrics().lag());
      all += task.metrics().processed();
    }
    boolean before = behind;
    behind = lag > all - processed;
    processed = all;
    if (behind != before) {
      group.tell(new Report.Behind(behind));
    }
  }

  /// The inputs are read anew.
  void forget() {
    behind = false;
  }
}

package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Report;
import dev.millrace.internal.engine.input.Fetching;
import dev.millrace.spi.SplitReader;
import java.time.Duration;

/// Measures now and then what changes all the time and need not be known at once, and tells of it.
final class Measuring {
  private static final long EVERY_NANOS = Duration.ofMillis(500).toNanos();

  private final WorkerContext context;
  private final WorkerTasks tasks;
  private final SplitReader reader;
  private final Fetching fetching;
  private final Departures departures;
  private final Mailbox group;
  private final Backlog backlog = new Backlog();
  private long measuredNanos;

  Measuring(
      WorkerContext context,
      WorkerTasks tasks,
      SplitReader reader,
      Fetching fetching,
      Departures departures,
      Mailbox group) {
    this.context = context;
    this.tasks = tasks;
    this.reader = reader;
    this.fetching = fetching;
    this.departures = departures;
    this.group = group;
  }

  void look(long nowNanos) {
    if (nowNanos - measuredNanos < EVERY_NANOS) {
      return;
    }
    measuredNanos = nowNanos;
    for (Task task : tasks.all()) {
      task.measure(reader::endOffset);
    }
    if (backlog.look(tasks.all())) {
      group.tell(new Report.Behind(backlog.behind()));
    }
    fetching.measure();
    departures.measure();
    context.badResults().log().look();
  }

  /// The inputs are read anew.
  void forget() {
    backlog.forget();
  }
}

package dev.millrace.benchmarks.pauses;

import dev.millrace.benchmarks.process.ForwardingLog;
import dev.millrace.engine.settings.Surroundings;
import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// A log that aborts some of the commits it is asked for.
final class AbortingLog extends ForwardingLog {
  /// Of so many commits of a writer, the last one.
  private static final int EVERY = 3;

  private final String changelogTopic;
  private final Repeats repeats;

  private AbortingLog(Log log, String changelogTopic, Repeats repeats) {
    super(log);
    this.changelogTopic = changelogTopic;
    this.repeats = repeats;
  }

  /// What a job runs on.
  ///
  /// @param changelogTopic whose partitions say which tasks a writer belongs to
  static Surroundings around(Surroundings seen, String changelogTopic, Repeats repeats) {
    return new Surroundings(
        new AbortingLog(seen.log(), changelogTopic, repeats),
        seen.disks(),
        seen.clock(),
        seen.sources(),
        seen.snapshots());
  }

  @Override
  public TransactionalWriter writer(String transactionalId, Duration timeout) {
    return new Writer(super.writer(transactionalId, timeout));
  }

  private final class Writer implements TransactionalWriter {
    private final TransactionalWriter writer;
    private final Set<Integer> tasks = new TreeSet<>();
    private int commits;
    private boolean aborting;

    Writer(TransactionalWriter writer) {
      this.writer = writer;
    }

    @Override
    public void send(Split to, RecordBatch batch) {
      if (to.stream().equals(changelogTopic)) {
        tasks.add(to.partition());
      }
      writer.send(to, batch);
    }

    @Override
    public void commit() {
      aborting = ++commits % EVERY == 0;
      if (aborting) {
        writer.abort();
      } else {
        writer.commit();
      }
    }

    @Override
    public Outcome outcome() {
      Outcome outcome = writer.outcome();
      if (aborting && outcome == Outcome.ABORTED) {
        aborting = false;
        repeats.aborted(tasks);
      }
      return outcome;
    }

    @Override
    public String failure() {
      String failure = writer.failure();
      return failure.isEmpty() ? "the benchmark aborts it" : failure;
    }

    @Override
    public void open() {
      writer.open();
    }

    @Override
    public WriterId id() {
      return writer.id();
    }

    @Override
    public void sendOutside(Split to, RecordBatch batch) {
      writer.sendOutside(to, batch);
    }

    @Override
    public void sendPositions(String group, Map<Split, Position> positions) {
      writer.sendPositions(group, positions);
    }

    @Override
    public void abort() {
      writer.abort();
    }

    @Override
    public long committedEnd(Split split) {
      return writer.committedEnd(split);
    }

    @Override
    public void close() {
      writer.close();
    }
  }
}

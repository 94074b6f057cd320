package dev.millrace.benchmarks.pauses;

import dev.millrace.benchmarks.process.ForwardingLog;
import dev.millrace.benchmarks.process.ForwardingWriter;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.Log;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
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
        seen.calls(),
        seen.snapshots());
  }

  @Override
  public TransactionalWriter writer(String transactionalId, Duration timeout) {
    return new Writer(super.writer(transactionalId, timeout));
  }

  private final class Writer extends ForwardingWriter {
    private final Set<Integer> tasks = new TreeSet<>();
    private int commits;

    /// Whether the end that was last asked for was made an abort, and whether that is known.
    private boolean aborted;

    private boolean told;

    Writer(TransactionalWriter writer) {
      super(writer);
    }

    @Override
    public void send(Split to, RecordBatch batch) {
      if (to.stream().equals(changelogTopic)) {
        tasks.add(to.partition());
      }
      super.send(to, batch);
    }

    @Override
    public void commit() {
      aborted = ++commits % EVERY == 0;
      told = false;
      if (aborted) {
        super.abort();
      } else {
        super.commit();
      }
    }

    @Override
    public Outcome outcome() {
      Outcome outcome = super.outcome();
      if (aborted && !told && outcome == Outcome.ABORTED) {
        told = true;
        repeats.aborted(tasks);
      }
      return outcome;
    }

    @Override
    public String failure() {
      return aborted ? "the benchmark aborts it" : super.failure();
    }
  }
}

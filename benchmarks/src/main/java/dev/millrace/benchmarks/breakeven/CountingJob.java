package dev.millrace.benchmarks.breakeven;

import dev.millrace.Job;
import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.connector.Start;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.WatchedJob;
import dev.millrace.benchmarks.scenarios.Event;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;

/// A process that counts by key, with entries of some size.
final class CountingJob {
  private static final Duration COMMITS = Duration.ofSeconds(1);
  private static final Duration FLUSHES = Duration.ofSeconds(2);

  /// Less than from one flush to the next.
  private static final Duration SNAPSHOTS = Duration.ofSeconds(1);

  private static final long MEMORY_BYTES = 512L << 20;

  private CountingJob() {}

  /// @param args as of [Task]
  public static void main(String[] args) throws InterruptedException, IOException {
    Parent.endWithIt();
    Task task = Task.of(args);
    JobConfig config =
        JobConfig.of(task.bootstrap())
            .withCommit(CommitConfig.defaults().withInterval(COMMITS))
            .withMemory(MemoryConfig.of(MEMORY_BYTES))
            .withState(StateConfig.in(task.state()).withFlushInterval(FLUSHES))
            .withInput(InputConfig.defaults().withStart(Start.earliest()));
    if (task.snapshots()) {
      Files.createDirectories(task.checkpoints());
      config =
          config.withSnapshots(
              SnapshotConfig.defaults().withStore(task.checkpoints()).withInterval(SNAPSHOTS));
    }
    Job job = Millrace.start(new Counts(task), config);
    Runtime.getRuntime().addShutdownHook(new Thread(job::close, "stop"));
    WatchedJob.watch(job);
  }

  private record Counts(Task task) implements StreamApplication {
    @Override
    public String name() {
      return task.name();
    }

    @Override
    public void describe(Topology topology) {
      int entryBytes = task.entryBytes();
      topology
          .from(Kafka.source(task.input()).key(Serdes.kafkaLong()).value(Serdes.view()))
          .groupByKey()
          .aggregate(
              "counts",
              () -> Entry.zero(entryBytes),
              (value, event) -> Entry.with(value, Event.asks(event.array(), event.offset())))
          .as(Serdes.bytes())
          .toStream()
          .filter(Entry::asked)
          .mapValues(Entry::count)
          .as(Serdes.kafkaLong())
          .to(Kafka.sink(task.output()).key(Serdes.kafkaLong()).value(Serdes.kafkaLong()));
    }
  }
}

package dev.millrace.benchmarks.localstate;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.api.Processor;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.connector.Start;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.serde.Bytes;
import dev.millrace.benchmarks.commit.WithoutChangelog;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.Stretch;
import dev.millrace.benchmarks.process.Stretch.Look;
import dev.millrace.benchmarks.process.WrappedJob;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.StateConfig;
import dev.millrace.spi.settings.StateConfig.Storage;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// The process of a job: runs it, and tells its parent how fast it was.
public final class StateJob {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration RECOVERY = Duration.ofSeconds(10);

  /// The cache has two sevenths of all memory.
  private static final int SEVENTHS = 7;

  /// All memory of a job whose cache is to hold next to nothing: some seven megabytes of objects,
  /// of which a third may be changed and not committed.
  private static final long NEXT_TO_NOTHING = 24L << 20;

  /// What the clients have otherwise; that little memory would slow them, too.
  private static final Map<String, String> CLIENTS =
      Map.of("buffer.memory", "16777216", "max.partition.fetch.bytes", "1048576");

  private StateJob() {}

  /// Runs a job whose state is the engine's.
  ///
  /// @param args as of [StateTask]
  public static void main(String[] args) throws InterruptedException {
    StateTask task = StateTask.of(args);
    Supplier<StoreUse> nothing = () -> StoreUse.NONE;
    switch (task.access()) {
      case READ_WRITE -> run(task, LocalCounts::new, nothing, LocalCounts.STORE);
      case READ_ONLY -> run(task, LocalTable::new, nothing, LocalTable.STORE);
    }
  }

  /// Runs a job with a processor. Does not return.
  ///
  /// @param store what a store elsewhere has used so far
  /// @param specs stores of the engine
  public static void run(
      StateTask task,
      Initializer<Processor<Long, Bytes, byte[]>> processor,
      Supplier<StoreUse> store,
      StoreSpec<?, ?>... specs)
      throws InterruptedException {
    Parent.endWithIt();
    UnaryOperator<Surroundings> around =
        task.storing().changelog() || task.storing().remote()
            ? UnaryOperator.identity()
            : seen -> WithoutChangelog.around(seen, task.job() + "-changelog");
    Job job = WrappedJob.start(new StateApplication(task, processor, specs), config(task), around);
    Runtime.getRuntime().addShutdownHook(new Thread(job::close, "stop"));
    try {
      Look from = Stretch.await(() -> processed(job), task.warm());
      Slices.reset();
      Parent.tell("store-from", store.get());
      Look to = Stretch.await(() -> processed(job), task.until());
      Parent.tell("store-to", store.get());
      Parent.tell("slices", Slices.millis(50) + " " + Slices.millis(99));
      to.since(from).tell();
      var _ = Stretch.await(() -> processed(job), Long.MAX_VALUE);
    } catch (IllegalStateException e) {
      e.printStackTrace();
      // The engine's own threads may still be at work.
      Runtime.getRuntime().halt(1);
    }
  }

  private static JobConfig config(StateTask task) {
    JobConfig config =
        JobConfig.of(task.bootstrap())
            .withCommit(CommitConfig.defaults().withInterval(INTERVAL))
            .withRecovery(
                RecoveryConfig.defaults()
                    .withTarget(RECOVERY)
                    .withCompaction(RecoveryConfig.Compaction.NONE))
            .withState(
                StateConfig.in(task.state())
                    .withStorage(task.storing().inMemory() ? Storage.MEMORY : Storage.DISK))
            .withMemory(MemoryConfig.of(task.cacheBytes() * SEVENTHS / 2))
            .withInput(InputConfig.defaults().withStart(Start.earliest()));
    if (task.storing() != Storing.ON_DISK_NO_CACHE) {
      return config;
    }
    return config
        .withMemory(MemoryConfig.of(NEXT_TO_NOTHING))
        .withKafka(config.kafka().withProperties(CLIENTS));
  }

  private static long processed(Job job) {
    JobFailure failure = job.failure();
    if (failure != null) {
      throw new IllegalStateException(failure.message());
    }
    return job.metrics().processed();
  }
}

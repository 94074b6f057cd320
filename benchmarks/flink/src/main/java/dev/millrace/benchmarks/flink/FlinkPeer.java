package dev.millrace.benchmarks.flink;

import dev.millrace.benchmarks.peer.Peer;
import dev.millrace.benchmarks.peer.PeerMain;
import dev.millrace.benchmarks.peer.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.TraceOptions;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.state.rocksdb.PredefinedOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.jspecify.annotations.Nullable;

/// Flink with state in RocksDB and incremental checkpoints to a local folder, in the cluster it
/// starts inside a process.
public final class FlinkPeer implements Peer {
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(10);

  private int threads;
  private @Nullable CompletableFuture<JobExecutionResult> result;

  private FlinkPeer() {}

  public static void main(String[] args) throws Exception {
    PeerMain.run(new FlinkPeer(), args);
  }

  @Override
  public String version() {
    return "Flink " + EnvironmentInformation.getVersion();
  }

  @Override
  public String settings() {
    return "RocksDB, FLASH_SSD_OPTIMIZED, managed memory as large as the others' caches;"
        + " incremental checkpoints every 10 s; object reuse; 4 threads for the transfer of"
        + " state (the default)";
  }

  @Override
  public void start(Work work) throws Exception {
    threads = work.threads();
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(threads, configuration(work));
    KafkaSource<Event> source =
        KafkaSource.<Event>builder()
            .setBootstrapServers(work.bootstrap())
            .setGroupId("counts-flink")
            .setTopics(work.topic())
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setDeserializer(new EventSchema())
            .build();
    environment
        .fromSource(source, WatermarkStrategy.noWatermarks(), "events")
        .uid("events")
        .keyBy(event -> event.key)
        .process(new Counting())
        .uid("counts")
        .sinkTo(new DiscardingSink<>());
    result = environment.executeAsync("counts-flink").getJobExecutionResult();
  }

  private static Configuration configuration(Work work) throws IOException {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
    configuration.set(RocksDBOptions.LOCAL_DIRECTORIES, work.state().toString());
    configuration.set(
        RocksDBOptions.PREDEFINED_OPTIONS, PredefinedOptions.FLASH_SSD_OPTIMIZED.name());
    configuration.set(
        TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(work.cacheBytes() >> 20));
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, work.saved().toUri().toString());
    configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_INTERVAL);
    configuration.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    configuration.set(TraceOptions.TRACE_REPORTERS_LIST, "restore");
    TraceOptions.forReporter(configuration, "restore")
        .set(TraceOptions.REPORTER_FACTORY_CLASS, RestoreSpans.class.getName());
    Optional<Path> last = lastCheckpoint(work.saved());
    if (last.isPresent()) {
      configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, last.get().toUri().toString());
    }
    return configuration;
  }

  /// The newest complete checkpoint, if there is one.
  private static Optional<Path> lastCheckpoint(Path saved) throws IOException {
    if (!Files.exists(saved)) {
      return Optional.empty();
    }
    try (Stream<Path> all = Files.walk(saved, 2)) {
      return all.filter(path -> Files.exists(path.resolve("_metadata")))
          .max(Comparator.comparingLong(path -> path.resolve("_metadata").toFile().lastModified()));
    }
  }

  @Override
  public long processed() {
    CompletableFuture<JobExecutionResult> running = Objects.requireNonNull(result);
    if (running.isDone()) {
      try {
        running.join();
      } catch (CompletionException e) {
        throw new IllegalStateException("Flink's job has failed.", e);
      }
      throw new IllegalStateException("Flink's job has ended.");
    }
    return Counting.records();
  }

  @Override
  public boolean everyTaskProcesses() {
    return Counting.subtasksAtWork() == threads;
  }

  @Override
  public OptionalLong saves() {
    return OptionalLong.of(Counting.checkpoints());
  }

  @Override
  public @Nullable Restore restore() {
    return RestoreSpans.restore();
  }

  @Override
  public void stop() {
    // What was checkpointed is kept; the rest is read again.
  }
}

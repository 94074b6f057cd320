package dev.millrace.benchmarks.flink.change;

import dev.millrace.benchmarks.change.peer.Assignment;
import dev.millrace.benchmarks.change.peer.ChangePeer;
import dev.millrace.benchmarks.change.peer.ChangePeerMain;
import dev.millrace.benchmarks.flink.KeyedBytes;
import dev.millrace.benchmarks.flink.KeyedBytesSchema;
import dev.millrace.benchmarks.flink.KeyedBytesWriter;
import dev.millrace.benchmarks.process.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.state.rocksdb.PredefinedOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/// Flink with state in RocksDB: it is stopped with a savepoint, and started from the newest one.
public final class FlinkChange implements ChangePeer {
  private static final String JOB = "totals-flink";
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(1);

  /// Longer than any checkpoint takes, and within what a broker allows.
  private static final String TRANSACTION_TIMEOUT_MILLIS = "600000";

  private @Nullable JobClient client;
  private @Nullable CompletableFuture<JobExecutionResult> result;
  private @Nullable Path saved;

  private FlinkChange() {}

  public static void main(String[] args) throws Exception {
    ChangePeerMain.run(new FlinkChange(), args);
  }

  @Override
  public String version() {
    return "Flink " + EnvironmentInformation.getVersion();
  }

  @Override
  public String settings() {
    return "RocksDB, FLASH_SSD_OPTIMIZED, managed memory as large as the others' caches;"
        + " incremental checkpoints every second, and transactions of the sink; savepoints to a"
        + " folder of the same disk, in the native format, which is the faster one";
  }

  @Override
  public void start(Assignment assignment) throws Exception {
    saved = assignment.saved();
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(
            assignment.threads(), configuration(assignment));
    KafkaSource<KeyedBytes> source =
        KafkaSource.<KeyedBytes>builder()
            .setBootstrapServers(assignment.bootstrap())
            .setGroupId(JOB)
            .setTopics(assignment.input())
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setDeserializer(new KeyedBytesSchema(false))
            .build();
    environment
        .fromSource(source, WatermarkStrategy.noWatermarks(), "events")
        .uid("events")
        .keyBy(event -> event.key)
        .process(new Totalling(assignment))
        .uid("totals")
        .sinkTo(sink(assignment))
        .uid("out");
    JobClient started = environment.executeAsync(JOB);
    client = started;
    result = started.getJobExecutionResult();
  }

  private static KafkaSink<KeyedBytes> sink(Assignment assignment) {
    Properties producer = new Properties();
    producer.put("transaction.timeout.ms", TRANSACTION_TIMEOUT_MILLIS);
    return KafkaSink.<KeyedBytes>builder()
        .setBootstrapServers(assignment.bootstrap())
        .setKafkaProducerConfig(producer)
        .setRecordSerializer(new KeyedBytesWriter(assignment.output()))
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix(JOB)
        .build();
  }

  private static Configuration configuration(Assignment assignment) throws IOException {
    Configuration configuration = new Configuration();
    // What fails is said, rather than tried again.
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
    configuration.set(RocksDBOptions.LOCAL_DIRECTORIES, assignment.state().toString());
    configuration.set(
        RocksDBOptions.PREDEFINED_OPTIONS, PredefinedOptions.FLASH_SSD_OPTIMIZED.name());
    configuration.set(
        TaskManagerOptions.MANAGED_MEMORY_SIZE,
        MemorySize.ofMebiBytes(assignment.cacheBytes() >> 20));
    configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY,
        assignment.saved().resolve("checkpoints").toUri().toString());
    configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_INTERVAL);
    Optional<Path> last = lastSavepoint(Assignment.savepoints(assignment.saved()));
    if (last.isPresent()) {
      configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, last.get().toUri().toString());
    }
    return configuration;
  }

  private static Optional<Path> lastSavepoint(Path savepoints) throws IOException {
    if (!Files.exists(savepoints)) {
      return Optional.empty();
    }
    try (Stream<Path> all = Files.list(savepoints)) {
      return all.filter(path -> Files.exists(path.resolve("_metadata")))
          .max(Comparator.comparingLong(path -> path.resolve("_metadata").toFile().lastModified()));
    }
  }

  @Override
  public void requireRunning() {
    CompletableFuture<JobExecutionResult> running = Objects.requireNonNull(result);
    if (running.isCompletedExceptionally()) {
      try {
        running.join();
      } catch (CompletionException e) {
        throw new IllegalStateException("Flink's job has failed.", e);
      }
    }
  }

  /// Makes a savepoint, and removes the one before, which nothing needs any more.
  @Override
  public void stop() throws IOException, InterruptedException, ExecutionException {
    Path savepoints = Assignment.savepoints(Objects.requireNonNull(saved));
    Optional<Path> before = lastSavepoint(savepoints);
    Objects.requireNonNull(client)
        .stopWithSavepoint(false, savepoints.toUri().toString(), SavepointFormatType.NATIVE)
        .get();
    if (before.isPresent()) {
      Directories.delete(before.get());
    }
  }
}

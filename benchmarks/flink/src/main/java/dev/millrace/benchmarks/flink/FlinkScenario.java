package dev.millrace.benchmarks.flink;

import dev.millrace.benchmarks.scenarios.Assignment;
import dev.millrace.benchmarks.scenarios.Scenario;
import dev.millrace.benchmarks.scenarios.ScenarioMain;
import dev.millrace.benchmarks.scenarios.ScenarioPeer;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.state.rocksdb.PredefinedOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/// Flink in the scenarios, in the cluster it starts inside a process. The counting that it does by
/// the key of the topic too begins with `keyBy`, as Flink has no other way to keyed state.
public final class FlinkScenario implements ScenarioPeer {
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(10);
  private static final Duration SOON_CHECKPOINT_INTERVAL = Duration.ofMillis(100);

  /// Longer than any checkpoint takes, and within what a broker allows.
  private static final String TRANSACTION_TIMEOUT_MILLIS = "600000";

  private static final long PATIENCE_SECONDS = 30;

  private @Nullable JobClient client;
  private @Nullable CompletableFuture<JobExecutionResult> result;

  private FlinkScenario() {}

  public static void main(String[] args) throws Exception {
    ScenarioMain.run(FlinkScenario::new, args);
  }

  @Override
  public String version() {
    return "Flink " + EnvironmentInformation.getVersion();
  }

  @Override
  public String settings(Assignment assignment) {
    String state =
        switch (assignment.scenario()) {
          case PASS -> "none";
          case COUNT_MEMORY, EXCHANGE -> "on the heap";
          case COUNT_DISK, COUNT_DISK_CHANGELOG ->
              "in RocksDB, FLASH_SSD_OPTIMIZED, managed memory as large as the others' caches";
        };
    String saved =
        checkpoints(assignment)
            ? "checkpoints every %s to a folder, incremental, and transactions of the sink"
                .formatted(interval(assignment))
            : "no checkpoints, so at least once";
    return "%s; state %s; object reuse; batch.size=131072, linger.ms=5".formatted(saved, state);
  }

  private static boolean checkpoints(Assignment assignment) {
    return assignment.scenario() != Scenario.COUNT_DISK;
  }

  private static Duration interval(Assignment assignment) {
    return assignment.soon() ? SOON_CHECKPOINT_INTERVAL : CHECKPOINT_INTERVAL;
  }

  @Override
  public void start(Assignment assignment) throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(
            assignment.threads(), configuration(assignment));
    KafkaSource<KeyedBytes> source =
        KafkaSource.<KeyedBytes>builder()
            .setBootstrapServers(assignment.bootstrap())
            .setGroupId(assignment.job())
            .setTopics(assignment.input())
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setProperty("max.poll.records", "5000")
            .setDeserializer(new KeyedBytesSchema(assignment.scenario() == Scenario.EXCHANGE))
            .build();
    DataStream<KeyedBytes> events =
        environment.fromSource(source, WatermarkStrategy.noWatermarks(), "events").uid("events");
    DataStream<KeyedBytes> out =
        assignment.scenario() == Scenario.PASS
            ? events.map(new Tallied()).uid("tallied")
            : events.keyBy(event -> event.key).process(new Answering()).uid("counts");
    out.sinkTo(sink(assignment)).uid("out");
    JobClient started = environment.executeAsync(assignment.job());
    client = started;
    result = started.getJobExecutionResult();
  }

  private static KafkaSink<KeyedBytes> sink(Assignment assignment) {
    Properties producer = new Properties();
    producer.put("batch.size", "131072");
    producer.put("linger.ms", "5");
    producer.put("transaction.timeout.ms", TRANSACTION_TIMEOUT_MILLIS);
    return KafkaSink.<KeyedBytes>builder()
        .setBootstrapServers(assignment.bootstrap())
        .setKafkaProducerConfig(producer)
        .setRecordSerializer(new KeyedBytesWriter(assignment.output()))
        .setDeliveryGuarantee(
            checkpoints(assignment)
                ? DeliveryGuarantee.EXACTLY_ONCE
                : DeliveryGuarantee.AT_LEAST_ONCE)
        .setTransactionalIdPrefix(assignment.job())
        .build();
  }

  private static Configuration configuration(Assignment assignment) {
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    // What fails is said, rather than tried again.
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    if (assignment.scenario().onDisk()) {
      configuration.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
      configuration.set(RocksDBOptions.LOCAL_DIRECTORIES, assignment.state().toString());
      configuration.set(
          RocksDBOptions.PREDEFINED_OPTIONS, PredefinedOptions.FLASH_SSD_OPTIMIZED.name());
      configuration.set(
          TaskManagerOptions.MANAGED_MEMORY_SIZE,
          MemorySize.ofMebiBytes(assignment.cacheBytes() >> 20));
    } else {
      configuration.set(StateBackendOptions.STATE_BACKEND, "hashmap");
    }
    if (checkpoints(assignment)) {
      configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
      configuration.set(
          CheckpointingOptions.CHECKPOINTS_DIRECTORY, assignment.saved().toUri().toString());
      configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
      configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval(assignment));
    }
    return configuration;
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
    return ScenarioPeer.super.processed();
  }

  /// What is committed stays; the rest would be read again.
  @Override
  public void stop() {
    JobClient running = client;
    CompletableFuture<JobExecutionResult> ends = result;
    if (running != null && ends != null && !ends.isDone()) {
      var _ = running.cancel();
      ends.handle((_, _) -> true).orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }
  }
}

package dev.millrace.benchmarks.flink.nexmark;

import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Tally;
import dev.millrace.benchmarks.nexmark.peer.NexmarkMain;
import dev.millrace.benchmarks.nexmark.peer.NexmarkPeer;
import dev.millrace.benchmarks.nexmark.peer.NexmarkWork;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.state.rocksdb.PredefinedOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.OptimizerConfigOptions;
import org.jspecify.annotations.Nullable;

/// Flink's SQL in Nexmark, in the cluster it starts inside a process.
public final class FlinkNexmark implements NexmarkPeer {
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(10);
  private static final Duration BATCH_LATENCY = Duration.ofSeconds(2);
  private static final long BATCH_SIZE = 50_000;
  private static final long PATIENCE_SECONDS = 30;

  private @Nullable JobClient client;
  private @Nullable CompletableFuture<JobExecutionResult> result;
  private long before;

  private FlinkNexmark() {}

  public static void main(String[] args) throws Exception {
    NexmarkMain.run(FlinkNexmark::new, args);
  }

  @Override
  public String version() {
    return "Flink " + EnvironmentInformation.getVersion();
  }

  @Override
  public String settings(NexmarkWork work) {
    return "SQL; state %s; checkpoints every %s to a folder, incremental; object reuse; table.exec.mini-batch (%s, %d) and table.optimizer.distinct-agg.split, as Nexmark's own configuration for Flink has them%s"
        .formatted(
            work.topics().none()
                ? "on the heap"
                : "in RocksDB, FLASH_SSD_OPTIMIZED, managed memory as large as the other's cache",
            CHECKPOINT_INTERVAL,
            BATCH_LATENCY,
            BATCH_SIZE,
            work.topics().none()
                ? ""
                : "; transactions of the sink; batch.size=131072, linger.ms=5");
  }

  @Override
  public void start(NexmarkWork work, Tally results) {
    before = dev.millrace.benchmarks.scenarios.Tally.total();
    TallySink.TALLY.set(results);
    Query query = Query.of(work.query());
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(work.threads(), configuration(work));
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    configure(tables.getConfig());
    boolean byArrival = work.query().equals("q12");
    EventTables.create(tables, events(environment, work, byArrival), query);
    tables.createTemporarySystemFunction("count_char", CountChar.class);
    tables.executeSql(
        "CREATE TEMPORARY TABLE texts (number BIGINT, text STRING) WITH ('connector' = '%s')"
            .formatted(TextsFactory.NAME));
    JobClient started =
        tables
            .sqlQuery(query.sql())
            .insertInto(
                TableDescriptor.forConnector(ResultSinkFactory.NAME)
                    .option(ResultSinkFactory.FINGERPRINT, query.fingerprint())
                    .option(ResultSinkFactory.BOOTSTRAP, work.bootstrap())
                    .option(ResultSinkFactory.TOPIC, work.topics().output())
                    .build())
            .execute()
            .getJobClient()
            .orElseThrow();
    client = started;
    result = started.getJobExecutionResult();
  }

  /// @param byArrival whether an event's time is that at which it comes
  private static DataStream<Event> events(
      StreamExecutionEnvironment environment, NexmarkWork work, boolean byArrival) {
    WatermarkStrategy<Event> times =
        WatermarkStrategy.<Event>forMonotonousTimestamps()
            .withTimestampAssigner(
                byArrival
                    ? (_, _) -> System.currentTimeMillis()
                    : (event, _) -> event.timeMillis());
    if (work.topics().none()) {
      DataGeneratorSource<Event> source =
          new DataGeneratorSource<>(
              new GeneratedEvent(work.events(), work.threads()),
              work.events().events(),
              TypeInformation.of(Event.class));
      return environment.fromSource(source, times, "events");
    }
    KafkaSource<Event> source =
        KafkaSource.<Event>builder()
            .setBootstrapServers(work.bootstrap())
            .setGroupId(work.name())
            .setTopics(work.topics().input())
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setBounded(OffsetsInitializer.latest())
            .setProperty("max.poll.records", "5000")
            .setDeserializer(new EventSchema())
            .build();
    return environment.fromSource(source, times, "events");
  }

  private static void configure(TableConfig config) {
    config.setLocalTimeZone(ZoneOffset.UTC);
    config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ENABLED, true);
    config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_ALLOW_LATENCY, BATCH_LATENCY);
    config.set(ExecutionConfigOptions.TABLE_EXEC_MINIBATCH_SIZE, BATCH_SIZE);
    config.set(OptimizerConfigOptions.TABLE_OPTIMIZER_DISTINCT_AGG_SPLIT_ENABLED, true);
  }

  private static Configuration configuration(NexmarkWork work) {
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    // What fails is said, rather than tried again.
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, work.saved().toUri().toString());
    configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_INTERVAL);
    if (work.topics().none()) {
      configuration.set(StateBackendOptions.STATE_BACKEND, "hashmap");
      // Nothing is written that would wait for a last checkpoint.
      configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
    } else {
      configuration.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
      configuration.set(RocksDBOptions.LOCAL_DIRECTORIES, work.state().toString());
      configuration.set(
          RocksDBOptions.PREDEFINED_OPTIONS, PredefinedOptions.FLASH_SSD_OPTIMIZED.name());
      configuration.set(
          TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(work.cacheBytes() >> 20));
    }
    return configuration;
  }

  @Override
  public long processed() {
    var _ = ended();
    return dev.millrace.benchmarks.scenarios.Tally.total() - before;
  }

  @Override
  public boolean ended() {
    CompletableFuture<JobExecutionResult> running = Objects.requireNonNull(result);
    if (running.isDone()) {
      try {
        running.join();
      } catch (CompletionException e) {
        throw new IllegalStateException("Flink's job has failed.", e);
      }
    }
    return running.isDone();
  }

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

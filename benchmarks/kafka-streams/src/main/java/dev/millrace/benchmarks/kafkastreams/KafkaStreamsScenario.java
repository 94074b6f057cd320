package dev.millrace.benchmarks.kafkastreams;

import dev.millrace.benchmarks.scenarios.Assignment;
import dev.millrace.benchmarks.scenarios.Event;
import dev.millrace.benchmarks.scenarios.Scenario;
import dev.millrace.benchmarks.scenarios.ScenarioMain;
import dev.millrace.benchmarks.scenarios.ScenarioPeer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/// Kafka Streams in the scenarios, exactly once or at least once.
public final class KafkaStreamsScenario implements ScenarioPeer {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String AT_LEAST_ONCE = "at-least-once";

  private @Nullable KafkaStreams streams;

  private KafkaStreamsScenario() {}

  public static void main(String[] args) throws Exception {
    ScenarioMain.run(KafkaStreamsScenario::new, args);
  }

  @Override
  public String version() {
    return "Kafka Streams " + AppInfoParser.getVersion();
  }

  @Override
  public String settings(Assignment assignment) {
    return "%s; state %s"
        .formatted(
            new TreeMap<>(tuned(assignment)),
            switch (assignment.scenario()) {
              case PASS -> "none";
              case COUNT_MEMORY, EXCHANGE ->
                  logged(assignment) ? "in memory, with changelog" : "in memory, no changelog";
              case COUNT_DISK -> "in RocksDB, with a cache before it, no changelog";
              case COUNT_DISK_CHANGELOG -> "in RocksDB, with a cache before it and changelog";
            });
  }

  /// What is not as it comes: commits once a second like the others' unless output is wanted soon,
  /// large batches, more records a poll, and write buffers of RocksDB for many writes.
  private static Properties tuned(Assignment assignment) {
    Properties tuned = new Properties();
    tuned.put(
        StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
        assignment.mode().equals(AT_LEAST_ONCE)
            ? StreamsConfig.AT_LEAST_ONCE
            : StreamsConfig.EXACTLY_ONCE_V2);
    tuned.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, assignment.soon() ? "100" : "1000");
    tuned.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), "10000");
    tuned.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, "10000");
    tuned.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), "131072");
    if (assignment.soon()) {
      tuned.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), "5");
    }
    tuned.put(StreamsConfig.METRICS_RECORDING_LEVEL_CONFIG, "INFO");
    tuned.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BulkRocksDb.class.getName());
    return tuned;
  }

  /// Whether a restart finds the state again. At least once, what is counted in memory goes the way
  /// of 2015, without.
  private static boolean logged(Assignment assignment) {
    return switch (assignment.scenario()) {
      case PASS, COUNT_DISK -> false;
      case COUNT_MEMORY, EXCHANGE -> !assignment.mode().equals(AT_LEAST_ONCE);
      case COUNT_DISK_CHANGELOG -> true;
    };
  }

  @Override
  public void start(Assignment assignment) {
    Properties all = tuned(assignment);
    all.put(StreamsConfig.APPLICATION_ID_CONFIG, assignment.job());
    all.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, assignment.bootstrap());
    all.put(StreamsConfig.STATE_DIR_CONFIG, assignment.state().toString());
    all.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, Integer.toString(assignment.threads()));
    all.put(
        StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, Long.toString(assignment.cacheBytes()));
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    StreamsBuilder builder = new StreamsBuilder();
    Serde<byte[]> bytes = Serdes.ByteArray();
    KStream<byte[], byte[]> events =
        builder.stream(assignment.input(), Consumed.with(bytes, bytes));
    KStream<byte[], byte[]> out =
        switch (assignment.scenario()) {
          case PASS -> events.process(Passing::new);
          case COUNT_MEMORY, COUNT_DISK, COUNT_DISK_CHANGELOG ->
              counted(assignment, builder, events);
          case EXCHANGE ->
              counted(
                  assignment,
                  builder,
                  events
                      .selectKey((_, event) -> Event.toBytes(Event.other(event, 0)))
                      .repartition(
                          Repartitioned.with(bytes, bytes)
                              .withName("other")
                              .withNumberOfPartitions(4)));
        };
    out.to(assignment.output(), Produced.with(bytes, bytes));
    KafkaStreams started = new KafkaStreams(builder.build(all), all);
    streams = started;
    started.start();
  }

  private static KStream<byte[], byte[]> counted(
      Assignment assignment, StreamsBuilder builder, KStream<byte[], byte[]> events) {
    Scenario scenario = assignment.scenario();
    StoreBuilder<KeyValueStore<Bytes, byte[]>> store =
        Stores.keyValueStoreBuilder(
            scenario.onDisk()
                ? Stores.persistentKeyValueStore(Answering.STORE)
                : Stores.inMemoryKeyValueStore(Answering.STORE),
            Serdes.Bytes(),
            Serdes.ByteArray());
    boolean logged = logged(assignment);
    store = logged ? store.withLoggingEnabled(Map.of()) : store.withLoggingDisabled();
    // Before a store in memory it saves changelog only.
    store = logged || scenario.onDisk() ? store.withCachingEnabled() : store;
    builder.addStateStore(store);
    return events.process(Answering::new, Answering.STORE);
  }

  @Override
  public long processed() {
    if (Objects.requireNonNull(streams).state() == KafkaStreams.State.ERROR) {
      throw new IllegalStateException("Kafka Streams has failed; its log says why.");
    }
    return ScenarioPeer.super.processed();
  }

  @Override
  public void stop() {
    KafkaStreams running = streams;
    if (running != null) {
      running.close(
          CloseOptions.timeout(PATIENCE)
              .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }
  }
}

package dev.millrace.benchmarks.kafkastreams;

import dev.millrace.benchmarks.change.peer.Assignment;
import dev.millrace.benchmarks.change.peer.ChangePeer;
import dev.millrace.benchmarks.change.peer.ChangePeerMain;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/// Kafka Streams with a store in RocksDB, a changelog and exactly-once of version 2.
public final class KafkaStreamsChange implements ChangePeer {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private @Nullable KafkaStreams streams;

  private KafkaStreamsChange() {}

  public static void main(String[] args) throws Exception {
    ChangePeerMain.run(new KafkaStreamsChange(), args);
  }

  @Override
  public String version() {
    return "Kafka Streams " + AppInfoParser.getVersion();
  }

  @Override
  public String settings() {
    return "exactly_once_v2, a cache before RocksDB with write buffers for many writes; it leaves"
        + " the group when it is stopped, so that the next process need not wait; the record's"
        + " serde is written by hand and reads what has no new field";
  }

  @Override
  public void start(Assignment assignment) {
    Properties all = new Properties();
    all.put(StreamsConfig.APPLICATION_ID_CONFIG, "totals-kstreams");
    all.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, assignment.bootstrap());
    all.put(StreamsConfig.STATE_DIR_CONFIG, assignment.state().toString());
    all.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, Integer.toString(assignment.threads()));
    all.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    all.put(
        StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, Long.toString(assignment.cacheBytes()));
    all.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BulkRocksDb.class.getName());
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    String store = assignment.has(Assignment.RENAME_OPERATOR) ? "sums" : "totals";
    boolean withLargest = assignment.has(Assignment.ADD_FIELD);
    StreamsBuilder builder = new StreamsBuilder();
    Serde<byte[]> bytes = Serdes.ByteArray();
    builder.addStateStore(
        Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(store), Serdes.Bytes(), bytes)
            .withLoggingEnabled(Map.of())
            .withCachingEnabled());
    builder.stream(assignment.input(), Consumed.with(bytes, bytes))
        .process(() -> new Totalling(store, withLargest), store)
        .to(assignment.output(), Produced.with(bytes, bytes));
    KafkaStreams started = new KafkaStreams(builder.build(all), all);
    streams = started;
    started.start();
  }

  @Override
  public void requireRunning() {
    if (Objects.requireNonNull(streams).state() == KafkaStreams.State.ERROR) {
      throw new IllegalStateException("Kafka Streams has failed; its log says why.");
    }
  }

  @Override
  public void stop() {
    Objects.requireNonNull(streams)
        .close(
            CloseOptions.timeout(PATIENCE)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
  }
}

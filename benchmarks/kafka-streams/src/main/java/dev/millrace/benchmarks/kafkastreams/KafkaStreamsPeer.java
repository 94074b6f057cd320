package dev.millrace.benchmarks.kafkastreams;

import dev.millrace.benchmarks.peer.Peer;
import dev.millrace.benchmarks.peer.PeerMain;
import dev.millrace.benchmarks.peer.Work;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/// Kafka Streams with a persistent store, a changelog and exactly-once of version 2.
public final class KafkaStreamsPeer implements Peer {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Counted counted = new Counted();
  private final RestoreTime restoring = new RestoreTime();
  private @Nullable KafkaStreams streams;

  private KafkaStreamsPeer() {}

  public static void main(String[] args) throws Exception {
    PeerMain.run(new KafkaStreamsPeer(), args);
  }

  @Override
  public String version() {
    return "Kafka Streams " + AppInfoParser.getVersion();
  }

  @Override
  public String settings() {
    return new TreeMap<>(tuned()).toString();
  }

  /// What is not as it comes: commits once a second like the others', larger fetches and larger
  /// slices for the restore, and write buffers of RocksDB for a bulk load.
  private static Properties tuned() {
    Properties tuned = new Properties();
    tuned.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    tuned.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, "1000");
    tuned.put(StreamsConfig.restoreConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), "20000");
    tuned.put(
        StreamsConfig.restoreConsumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
        Integer.toString(16 << 20));
    tuned.put(
        StreamsConfig.restoreConsumerPrefix(ConsumerConfig.RECEIVE_BUFFER_CONFIG),
        Integer.toString(1 << 20));
    tuned.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BulkRocksDb.class.getName());
    return tuned;
  }

  @Override
  public void start(Work work) {
    Properties all = tuned();
    all.put(StreamsConfig.APPLICATION_ID_CONFIG, "counts-kstreams");
    all.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, work.bootstrap());
    all.put(StreamsConfig.STATE_DIR_CONFIG, work.state().toString());
    all.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, Integer.toString(work.threads()));
    all.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, Long.toString(work.cacheBytes()));
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    Topology topology = new Topology();
    topology.addSource(
        "events",
        Serdes.ByteArray().deserializer(),
        Serdes.ByteArray().deserializer(),
        work.topic());
    topology.addProcessor("count", () -> new Counting(counted), "events");
    topology.addStateStore(
        Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(Counting.STORE), Serdes.Bytes(), Serdes.ByteArray())
            .withCachingEnabled(),
        "count");
    KafkaStreams started = new KafkaStreams(topology, all);
    started.setGlobalStateRestoreListener(restoring);
    streams = started;
    started.start();
  }

  @Override
  public long processed() {
    if (Objects.requireNonNull(streams).state() == KafkaStreams.State.ERROR) {
      throw new IllegalStateException("Kafka Streams has failed; its log says why.");
    }
    return counted.records();
  }

  @Override
  public boolean everyTaskProcesses() {
    return counted.everyTask();
  }

  @Override
  public OptionalLong saves() {
    return OptionalLong.empty();
  }

  @Override
  public @Nullable Restore restore() {
    return restoring.restore();
  }

  @Override
  public void stop() {
    KafkaStreams running = streams;
    if (running != null) {
      // Otherwise the next process waits until the group has given this one up.
      running.close(
          CloseOptions.timeout(PATIENCE)
              .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    }
  }
}

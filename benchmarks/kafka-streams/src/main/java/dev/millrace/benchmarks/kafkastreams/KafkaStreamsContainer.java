package dev.millrace.benchmarks.kafkastreams;

import dev.millrace.benchmarks.process.Parent;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;

/// A process of Kafka Streams that shares its tasks with others: the same program as
/// [KafkaStreamsChange], with one thread. It ends with status 1 if it fails.
public final class KafkaStreamsContainer {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String STORE = "totals";
  private static final String CLASSIC = "classic";
  private static final long CACHE_BYTES = 16L << 20;
  private static final long LOOK_MILLIS = 200;

  private KafkaStreamsContainer() {}

  /// @param args address of Kafka, topics of input and output, directory for state, `classic` or
  ///   `streams`, milliseconds between commits
  public static void main(String[] args) throws InterruptedException {
    Parent.endWithIt();
    Properties all = new Properties();
    all.put(StreamsConfig.APPLICATION_ID_CONFIG, "counted-kstreams");
    all.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    all.put(StreamsConfig.STATE_DIR_CONFIG, args[3]);
    all.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, "1");
    all.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    all.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, args[5]);
    all.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, Long.toString(CACHE_BYTES));
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    all.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, args[4]);
    if (args[4].equals(CLASSIC)) {
      // The least that a broker takes by default; the default is 45 s. By the other protocol the
      // broker decides.
      all.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, "6000");
      all.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, "1000");
    }
    StreamsBuilder builder = new StreamsBuilder();
    Serde<byte[]> bytes = Serdes.ByteArray();
    builder.addStateStore(
        Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(STORE), Serdes.Bytes(), bytes)
            .withLoggingEnabled(Map.of())
            .withCachingEnabled());
    builder.stream(args[1], Consumed.with(bytes, bytes))
        .process(() -> new Totalling(STORE, false), STORE)
        .to(args[2], Produced.with(bytes, bytes));
    KafkaStreams streams = new KafkaStreams(builder.build(all), all);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(streams), "stop"));
    streams.start();
    Parent.tell("started", System.currentTimeMillis());
    while (streams.state() != KafkaStreams.State.ERROR) {
      Thread.sleep(LOOK_MILLIS);
    }
    System.err.println("Kafka Streams has failed; its log says why.");
    Runtime.getRuntime().halt(1);
  }

  private static void stop(KafkaStreams streams) {
    streams.close(
        CloseOptions.timeout(PATIENCE)
            .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
  }
}

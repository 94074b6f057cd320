package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.ModelCluster;
import dev.millrace.internal.kafka.ModelNetwork;
import dev.millrace.internal.kafka.client.DirectSettings;
import dev.millrace.internal.kafka.wire.Wire;
import dev.millrace.internal.kafka.write.DirectProducer;
import dev.millrace.internal.kafka.write.WritableTopics;
import dev.millrace.internal.kafka.write.WriterIds;
import dev.millrace.internal.kafka.write.WriterName;
import dev.millrace.internal.kafka.write.WriterWork;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;

/// Clients of a [ModelCluster] by requests of our own, over the official connection layer. They
/// lose patience soon.
public final class ModelClients {
  public static final String WRITER = "modelled-writer";
  static final int REQUEST_MILLIS = 40;
  private static final int CONNECTIONS = 5;
  private static final long REBOOTSTRAP_MILLIS = 200;
  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private ModelClients() {}

  private static Map<String, Object> common() {
    return new HashMap<>(
        Map.of(
            "bootstrap.servers", ModelCluster.HOST + ":" + ModelCluster.FIRST_PORT,
            "request.timeout.ms", REQUEST_MILLIS,
            "retry.backoff.ms", 1,
            "retry.backoff.max.ms", 2,
            "metadata.max.age.ms", 60_000));
  }

  private static AbstractConfig consumerConfig(int requestMillis) {
    Map<String, Object> config = common();
    config.put("request.timeout.ms", requestMillis);
    config.put("key.deserializer", ByteArrayDeserializer.class);
    config.put("value.deserializer", ByteArrayDeserializer.class);
    return new ConsumerConfig(config);
  }

  private static AbstractConfig producerConfig() {
    Map<String, Object> config = common();
    config.put("linger.ms", 0);
    config.put("delivery.timeout.ms", 1_000);
    config.put("key.serializer", ByteArraySerializer.class);
    config.put("value.serializer", ByteArraySerializer.class);
    return new ProducerConfig(config);
  }

  private static Wire wire(ModelNetwork.Listener brokers, AbstractConfig config) {
    return new Wire(
        config,
        "model",
        1 << 20,
        (metadata, _, metrics, context) ->
            new NetworkClient(
                new ModelNetwork(
                    brokers, Set.of(ModelCluster.FIRST_PORT, ModelCluster.SECOND_PORT)),
                metadata,
                "model",
                CONNECTIONS,
                1,
                2,
                1 << 10,
                1 << 10,
                REQUEST_MILLIS,
                1_000,
                1_000,
                Time.SYSTEM,
                true,
                new ApiVersions(),
                context,
                REBOOTSTRAP_MILLIS,
                MetadataRecoveryStrategy.REBOOTSTRAP));
  }

  /// Of a producer.
  public static Wire wire(ModelNetwork.Listener brokers) {
    return wire(brokers, producerConfig());
  }

  public static WriterWork producer(ModelNetwork.Listener brokers, ModelCluster cluster) {
    return producer(brokers, cluster, PATIENCE, PATIENCE);
  }

  /// @param delivery the patience for a batch
  /// @param patience for a coordinator
  public static WriterWork producer(
      ModelNetwork.Listener brokers, ModelCluster cluster, Duration delivery, Duration patience) {
    DirectSettings settings =
        new DirectSettings(
            Compression.NONE,
            200,
            1_000,
            10_000,
            Duration.ofMillis(REQUEST_MILLIS),
            delivery,
            patience,
            PAUSE);
    WriterName name = new WriterName(WRITER, Duration.ofSeconds(60));
    WriterIds ids = new WriterIds(cluster::describe, true);
    WritableTopics topics =
        new WritableTopics(
            splits -> {},
            topic ->
                new TopicInfo(
                    topic, ModelCluster.TOPIC_ID.toString(), ModelCluster.PARTITIONS, Map.of()));
    return new WriterWork(name, new DirectProducer(name, settings, wire(brokers), ids), topics);
  }

  /// How long brokers that have had none for a while wait for records.
  static final Duration LONGEST = Duration.ofMillis(200);

  static DirectFetcher fetcher(ModelNetwork.Listener brokers) {
    return fetcher(brokers, 16 << 20);
  }

  /// @param unpackedBytes how large a batch may become when it is unpacked
  static DirectFetcher fetcher(ModelNetwork.Listener brokers, int unpackedBytes) {
    return fetcher(brokers, unpackedBytes, Duration.ofMillis(1));
  }

  /// @param patience how long brokers wait for records
  static DirectFetcher fetcher(
      ModelNetwork.Listener brokers, int unpackedBytes, Duration patience) {
    return fetcher(brokers, unpackedBytes, patience, REQUEST_MILLIS);
  }

  /// @param patience how long brokers wait for records
  /// @param requestMillis how long answers are waited for
  static DirectFetcher fetcher(
      ModelNetwork.Listener brokers, int unpackedBytes, Duration patience, int requestMillis) {
    DirectFetcher.Settings settings =
        new DirectFetcher.Settings(1 << 20, 1 << 20, patience, LONGEST, 1, PAUSE, unpackedBytes);
    return new DirectFetcher(
        wire(brokers, consumerConfig(requestMillis)), settings, new BatchPool(), "model");
  }

  /// All splits, to be read from their beginning.
  static List<SplitPosition> splits() {
    List<SplitPosition> splits = new ArrayList<>();
    for (int i = 0; i < ModelCluster.PARTITIONS; i++) {
      SplitPosition split = new SplitPosition(ModelCluster.split(i), Position.of(0));
      split.topicId(ModelCluster.TOPIC_ID);
      splits.add(split);
    }
    return splits;
  }

  public static RecordBatch batch(List<String> values) {
    RecordBatch batch = RecordBatch.create();
    for (String value : values) {
      batch.append(batch.size(), 1_700_000_000_000L);
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      batch.value(bytes, 0, bytes.length);
    }
    return batch;
  }
}

package dev.millrace.examples.shop;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/// Makes the topics that the shop reads, and writes to them with an ordinary producer.
public final class ShopTopics implements AutoCloseable {
  /// How many each topic has.
  public static final int PARTITIONS = 4;

  /// What the shop reads.
  public static final List<String> NAMES = List.of("orders", "payments", "shipments", "products");

  private static final Map<String, String> TABLE = Map.of("cleanup.policy", "compact");

  private final Admin admin;
  private final KafkaProducer<String, String> producer;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  public ShopTopics(String bootstrap) {
    admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap));
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "linger.ms",
                5,
                // With several, a batch that a new partition refused may wait until it expires.
                "max.in.flight.requests.per.connection",
                1,
                // A broker that is away comes back.
                "delivery.timeout.ms",
                600_000,
                "max.block.ms",
                600_000),
            new StringSerializer(),
            new StringSerializer());
  }

  /// Makes those that are not there.
  public void create() throws ExecutionException, InterruptedException {
    Set<String> existing = admin.listTopics().names().get();
    List<NewTopic> missing =
        NAMES.stream()
            .filter(name -> !existing.contains(name))
            .map(name ->
                new NewTopic(name, Optional.of(PARTITIONS), Optional.empty())
                    .configs(name.equals("products") ? TABLE : Map.of()))
            .toList();
    admin.createTopics(missing).all().get();
  }

  /// The latest time of an order that is there.
  public Optional<Instant> latest() throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
    IntStream.range(0, PARTITIONS)
        .forEach(i -> partitions.put(new TopicPartition("orders", i), OffsetSpec.maxTimestamp()));
    Stream<ListOffsetsResultInfo> found =
        admin.listOffsets(partitions).all().get().values().stream();
    return found
        .filter(each -> each.timestamp() >= 0)
        .map(each -> Instant.ofEpochMilli(each.timestamp()))
        .max(Instant::compareTo);
  }

  /// Writes a record, now or soon.
  ///
  /// @throws KafkaException if one before could not be written
  @SuppressWarnings("FutureReturnValueIgnored") // a failure is heard of by the callback
  public void send(Traffic.Sent sent) {
    Exception thrown = failure.get();
    if (thrown != null) {
      throw new KafkaException("What happens in the shop cannot be written.", thrown);
    }
    producer.send(
        new ProducerRecord<>(
            sent.topic(), null, sent.at().toEpochMilli(), sent.key(), sent.value()),
        (_, failed) -> {
          if (failed != null) {
            failure.compareAndSet(null, failed);
          }
        });
  }

  /// Waits until all is written.
  public void flush() {
    producer.flush();
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}

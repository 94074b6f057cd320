package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.shop.ClosingTraffic;
import dev.millrace.examples.shop.ShopCheck;
import dev.millrace.examples.shop.ShopRow;
import dev.millrace.examples.shop.ShopTopics;
import dev.millrace.examples.shop.Traffic;
import dev.millrace.kafka.embedded.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/// What happens in the shop, written to a Kafka, and what the shop has made of it.
final class ShopLoad implements AutoCloseable {
  static final String APPLICATION = "shop";

  private static final Instant START = Instant.parse("2026-01-01T08:00:00Z");
  private static final String LETTERS = APPLICATION + "-dead-letters";
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration BETWEEN_CHECKS = Duration.ofMillis(500);
  private static final Duration BEHIND_ALL = Duration.ofHours(12);

  private final String bootstrap;
  private final Admin admin;
  private final ShopTopics topics;
  private final Traffic traffic;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private Instant latest = START;
  private Thread thread;
  private volatile boolean ending;

  ShopLoad(String bootstrap, long seed, Duration betweenOrders)
      throws ExecutionException, InterruptedException {
    this.bootstrap = bootstrap;
    admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap));
    create();
    topics = new ShopTopics(bootstrap);
    traffic = new Traffic(seed, "o", START, betweenOrders);
  }

  /// The topics, of which nothing is deleted or compacted: the times of the shop are long gone.
  private void create() throws ExecutionException, InterruptedException {
    List<NewTopic> all =
        Stream.concat(ShopTopics.NAMES.stream(), ShopCheck.OUTPUTS.stream())
            .map(name ->
                new NewTopic(name, Optional.of(ShopTopics.PARTITIONS), Optional.empty())
                    .configs(
                        Map.of(
                            "retention.ms",
                            "-1",
                            "segment.ms",
                            Long.toString(Long.MAX_VALUE),
                            "cleanup.policy",
                            isTable(name) ? "compact" : "delete")))
            .toList();
    admin.createTopics(all).all().get();
  }

  private static boolean isTable(String topic) {
    return List.of("products", "order-states", "unpaid-orders", "packing-list").contains(topic);
  }

  /// Writes so many records, as fast as it can.
  void write(int records) {
    for (int i = 0; i < records; i++) {
      send(traffic.next());
    }
    topics.flush();
  }

  private void send(Traffic.Sent record) {
    topics.send(record);
    latest = record.arrives();
    sent.incrementAndGet();
  }

  /// Begins to write, on a thread of its own, until [#end].
  ///
  /// @param faster how much faster than in the shop
  void begin(int faster) {
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("shop-load")
            .start(() -> {
              try {
                write(faster, System.nanoTime());
              } catch (KafkaException | InterruptedException e) {
                failure.set(e);
              }
            });
  }

  private void write(int faster, long begun) throws InterruptedException {
    while (!ending) {
      Traffic.Sent next = traffic.next();
      long due = begun + Duration.between(START, next.arrives()).dividedBy(faster).toNanos();
      long wait = due - System.nanoTime();
      if (wait > 0) {
        Thread.sleep(Duration.ofNanos(wait));
      }
      send(next);
    }
  }

  /// Writes nothing more but what closes all windows.
  ///
  /// @return how many records were written
  long end() throws InterruptedException {
    ending = true;
    if (thread != null) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new AssertionError("What happens in the shop cannot be written.", failure.get());
    }
    ClosingTraffic.at(latest.plus(BEHIND_ALL)).forEach(topics::send);
    topics.flush();
    return sent.addAndGet((long) ShopTopics.NAMES.size() * ShopTopics.PARTITIONS);
  }

  /// How many records the shop has committed, as its consumer group says.
  long processed() {
    try {
      return admin
          .listConsumerGroupOffsets(APPLICATION)
          .partitionsToOffsetAndMetadata()
          .get()
          .entrySet()
          .stream()
          .filter(each -> ShopTopics.NAMES.contains(each.getKey().topic()))
          .mapToLong(each -> each.getValue().offset())
          .sum();
    } catch (ExecutionException e) {
      throw new AssertionError("The positions of the shop cannot be found.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /// Waits until the shop has read everything, and then until what it has written is right, or for
  /// some time: what it has read may still be on its way.
  void awaitAll(BooleanSupplier alive) throws InterruptedException {
    Patience.await(
        "Reading all records",
        PATIENCE,
        () -> {
          assertTrue(alive.getAsBoolean(), "A process of the shop has ended.");
          return processed() >= sent.get();
        });
    Patience patience = Patience.of(PATIENCE);
    while (!check().differences().isEmpty() && !patience.isOver()) {
      assertTrue(alive.getAsBoolean(), "A process of the shop has ended.");
      Thread.sleep(BETWEEN_CHECKS);
    }
  }

  /// Compares what is committed.
  ShopCheck.Result check() {
    List<ShopRow> inputs = new ArrayList<>();
    Map<String, List<ShopRow>> outputs = new HashMap<>();
    List<String> letters = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer = consumer()) {
      for (String topic : ShopTopics.NAMES) {
        read(consumer, topic).forEach(each -> inputs.add(row(each)));
      }
      for (String topic : ShopCheck.OUTPUTS) {
        outputs.put(topic, read(consumer, topic).stream().map(ShopLoad::row).toList());
      }
      read(consumer, LETTERS).forEach(each -> letters.add(place(each)));
    }
    return ShopCheck.compare(inputs, outputs, letters);
  }

  private KafkaConsumer<String, String> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false,
            "allow.auto.create.topics",
            false),
        new StringDeserializer(),
        new StringDeserializer());
  }

  /// What is committed in a topic, of each partition in its order.
  private static List<ConsumerRecord<String, String>> read(
      KafkaConsumer<String, String> consumer, String topic) {
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    List<PartitionInfo> there = consumer.partitionsFor(topic);
    List<TopicPartition> partitions =
        there == null
            ? List.of()
            : there.stream().map(each -> new TopicPartition(topic, each.partition())).toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
      consumer.poll(Duration.ofMillis(100)).forEach(records::add);
    }
    return records;
  }

  private static ShopRow row(ConsumerRecord<String, String> record) {
    return new ShopRow(
        record.topic(),
        record.partition(),
        record.offset(),
        record.key(),
        record.value(),
        Instant.ofEpochMilli(record.timestamp()),
        record.headers().lastHeader("millrace.retraction") != null);
  }

  private static String place(ConsumerRecord<String, String> letter) {
    return header(letter, "topic")
        + "-"
        + header(letter, "partition")
        + "@"
        + header(letter, "offset");
  }

  private static String header(ConsumerRecord<String, String> letter, String name) {
    Header header = letter.headers().lastHeader("millrace." + name);
    return header == null ? "none" : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws InterruptedException {
    ending = true;
    if (thread != null) {
      thread.interrupt();
      thread.join();
    }
    topics.close();
    admin.close();
  }
}

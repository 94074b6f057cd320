package dev.millrace;

import static dev.millrace.json.Json.json;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.config.PlacementConfig.Exchanges;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job that groups by another key counts every record once, whether they go through memory or
/// through a topic, and when that changes between two runs.
class DirectExchangeTest {
  private static final int PARTITIONS = 4;
  private static final Duration OFTEN = Duration.ofMillis(20);
  private static final Duration SELDOM = Duration.ofSeconds(20);

  /// Not while this runs, however busy the machine is.
  private static final Duration NEVER = Duration.ofMinutes(4);

  @TempDir private Path directory;

  private final Words application = new Words(uniqueName("direct"));
  private final Random random = new Random(16);
  private final Map<String, Long> written = new TreeMap<>();

  /// Every word with how often it came so far.
  private record Words(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
          .groupBy("by-word", word -> word)
          .count("counts")
          .to(Kafka.sink(name + "-out").partitions(1).key(Serdes.string()).value(json(Long.class)));
    }
  }

  private JobConfig config(Exchanges exchanges, int workers, Duration interval) {
    return JobConfig.of(bootstrapServers())
        .withCommit(CommitConfig.defaults().withInterval(interval))
        .withPlacement(PlacementConfig.defaults().withWorkers(workers).withExchanges(exchanges))
        .withState(StateConfig.in(directory).withFlushInterval(Duration.ofMillis(50)));
  }

  private void write(int words) throws InterruptedException, ExecutionException {
    List<Future<?>> sent = new ArrayList<>();
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      for (int i = 0; i < words; i++) {
        String word = "w" + random.nextInt(50);
        written.merge(word, 1L, Long::sum);
        sent.add(
            producer.send(
                new ProducerRecord<>(application.name + "-in", i % PARTITIONS, null, word)));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  private long inExchange() throws InterruptedException, ExecutionException {
    Map<TopicPartition, OffsetSpec> ends =
        IntStream.range(0, PARTITIONS)
            .mapToObj(i -> new TopicPartition(application.name + ".by-word-exchange", i))
            .collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      return admin.listOffsets(ends).all().get().values().stream()
          .mapToLong(each -> each.offset())
          .sum();
    }
  }

  /// Waits until all that was written is counted: each word from 1 on, without a gap.
  private void requireCounted() {
    long all = written.values().stream().mapToLong(Long::longValue).sum();
    Map<String, List<Long>> counted = new TreeMap<>();
    SharedTopics.read(application.name + "-out", (int) all)
        .forEach(each ->
            counted
                .computeIfAbsent(each.key(), _ -> new ArrayList<>())
                .add(Long.valueOf(each.value())));
    Map<String, List<Long>> expected = new TreeMap<>();
    written.forEach(
        (word, count) -> expected.put(word, LongStream.rangeClosed(1, count).boxed().toList()));
    assertEquals(expected, counted);
  }

  /// Whether each of the tasks that send has processed so many records.
  private static boolean haveAllProcessed(Job job, long records) {
    return job.metrics().tasks().entrySet().stream()
            .filter(task -> task.getKey().stage() == 0 && task.getValue().processed() >= records)
            .count()
        == PARTITIONS;
  }

  private static long processedBySenders(Job job) {
    return job.metrics().tasks().entrySet().stream()
        .filter(task -> task.getKey().stage() == 0)
        .mapToLong(task -> task.getValue().processed())
        .sum();
  }

  @Test
  void everyRecordIsCountedOnceThroughMemoryAndThroughTheTopicAndInBetween()
      throws InterruptedException, ExecutionException {
    SharedTopics.create(application.name + "-in", PARTITIONS);
    write(500);
    try (Job _ = Millrace.start(application, config(Exchanges.DIRECT, 2, OFTEN))) {
      requireCounted();
      write(200);
      requireCounted();
    }
    assertEquals(0, inExchange());
    write(500);
    try (Job job = Millrace.start(application, config(Exchanges.TOPICS, 2, SELDOM))) {
      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (!haveAllProcessed(job, 500 / PARTITIONS)) {
        assertTrue(System.nanoTime() < end, "The input is not read.");
        Thread.sleep(5);
      }
      // No writer of a process bars another one of it, whatever the process before had claimed.
      assertEquals(
          0, job.metrics().groups().stream().mapToLong(each -> each.unconfirmedCommits()).sum());
    }
    // Its last commit has left them in the exchange.
    long before = inExchange();
    assertTrue(before >= 500, before + " records went through the topic");
    write(200);
    try (Job _ = Millrace.start(application, config(Exchanges.DIRECT, 3, OFTEN))) {
      requireCounted();
      write(300);
      requireCounted();
    }
    assertEquals(before, inExchange());
    write(300);
    try (Job _ = Millrace.start(application, config(Exchanges.TOPICS, 2, OFTEN))) {
      requireCounted();
    }
    assertTrue(inExchange() >= before + 300, "Nothing went through the topic.");
  }

  /// Or all windows that close between two commits would be closed while the second one waits.
  @Test
  void eventTimeGoesOnBetweenCommits() throws InterruptedException, ExecutionException {
    SharedTopics.create(application.name + "-in", PARTITIONS);
    write(500);
    CommitConfig seldom = CommitConfig.defaults().withInterval(NEVER).withLatencyTarget(NEVER);
    JobConfig config = config(Exchanges.DIRECT, 2, SELDOM).withCommit(seldom);
    try (Job job = Millrace.start(application, config)) {
      long end = System.nanoTime() + NEVER.dividedBy(2).toNanos();
      while (!receiversKnowTheTime(job)) {
        assertTrue(System.nanoTime() < end, "Nobody was told how far event time has come.");
        Thread.sleep(5);
      }
    }
  }

  private static boolean receiversKnowTheTime(Job job) {
    return processedBySenders(job) == 500
        && job.metrics().tasks().entrySet().stream()
            .filter(task -> task.getKey().stage() == 1)
            .allMatch(task -> task.getValue().watermark() > 0);
  }
}

package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job whose sums were numbers and are records now: their values are migrated in the background
/// while records come and it is killed.
class MigrationOnKafkaTest {
  private static final int KEYS = 2_000;
  private static final int PARTITIONS = 2;
  private static final String MARK = "\u00ffmillrce\u0002";

  @TempDir Path directory;

  private record Totals(int since, long sum) {}

  private static final Mapper<String, String> KEY = line -> line.split(" ")[0];

  private static long number(String line) {
    return Long.parseLong(line.split(" ")[1]);
  }

  /// How many values are still migrated quickly. Each of the others takes long, so that a job is
  /// killed before the end on a slow machine, too.
  private static final AtomicInteger QUICK = new AtomicInteger();

  private static Totals migrated(long sum) {
    LockSupport.parkNanos(QUICK.getAndDecrement() > 0 ? 200_000 : 20_000_000);
    return new Totals(1, sum);
  }

  private record Named(String name, boolean isNew) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var lines =
          topology
              .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
              .groupBy("by-key", KEY);
      var sums =
          isNew
              ? lines
                  .aggregate(
                      "sums",
                      () -> new Totals(2, 0),
                      (totals, line) -> new Totals(totals.since, totals.sum + number(line)))
                  .as(
                      Serdes.version(2, Serdes.record(Totals.class))
                          .from(1, Serdes.longs(), MigrationOnKafkaTest::migrated))
                  .toStream()
                  .mapValues(totals -> totals.sum)
              : lines
                  .aggregate("sums", () -> 0L, (sum, line) -> sum + number(line))
                  .as(Serdes.longs())
                  .toStream();
      sums.mapValues(sum -> Long.toString(sum))
          .to(Kafka.sink(name + "-out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  private Job start(String name, boolean isNew) {
    return Millrace.start(
        new Named(name, isNew),
        JobConfig.of(bootstrapServers())
            .withState(
                StateConfig.in(directory.resolve("state"))
                    .withFlushInterval(Duration.ofMillis(300)))
            .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(20)))
            .withChange(new ChangeConfig(ChangeConfig.AUTO)));
  }

  private static int write(String name, List<String> lines, Map<String, Long> sums) {
    lines.forEach(line -> sums.merge(KEY.map(line), number(line), Long::sum));
    SharedTopics.write(name + "-in", lines.toArray(String[]::new));
    return lines.size();
  }

  private static List<String> drawn(Random random, int count) {
    return IntStream.range(0, count)
        .mapToObj(_ -> "k" + random.nextInt(KEYS) + " " + random.nextInt(100))
        .toList();
  }

  private static double metric(Job job, String name) {
    return job.metrics().families().stream()
        .filter(family -> family.name().equals(name))
        .flatMap(family -> family.points().stream())
        .mapToDouble(MetricFamily.Point::value)
        .sum();
  }

  private static void await(Job job, String what, BooleanSupplier condition) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertNull(job.failure());
      assertTrue(System.nanoTime() < end, what);
      Thread.sleep(5);
    }
  }

  /// Its threads end where they are, without a last commit.
  private static void kill(Job job) {
    Thread.currentThread().interrupt();
    job.close();
    assertTrue(Thread.interrupted());
  }

  private static void assertSums(String name, int records, Map<String, Long> sums) {
    Map<String, String> last = new HashMap<>();
    SharedTopics.read(name + "-out", records)
        .forEach(record -> last.put(record.key(), record.value()));
    Map<String, String> expected = new HashMap<>();
    sums.forEach((key, sum) -> expected.put(key, Long.toString(sum)));
    assertEquals(expected, last);
  }

  @Test
  void allValuesAreMigratedUnderRecordsAndKills() throws Exception {
    Random random = new Random(4);
    String name = uniqueName("migrated");
    SharedTopics.create(name + "-in", PARTITIONS);
    SharedTopics.create(name + "-out", 1);
    Map<String, Long> sums = new HashMap<>();
    int records = 0;
    try (Job job = start(name, false)) {
      records +=
          write(
              name, IntStream.range(0, KEYS).mapToObj(key -> "k" + key + " " + key).toList(), sums);
      assertSums(name, records, sums);
      assertEquals(0, metric(job, "millrace_migration_running"));
    }
    assertEquals(KEYS, latest(name, _ -> true));
    assertEquals(0, latest(name, MigrationOnKafkaTest::isNew));
    for (int round = 0; round < 2; round++) {
      QUICK.set(KEYS / 4);
      Job killed = start(name, true);
      records += write(name, drawn(random, 40), sums);
      await(
          killed,
          "nothing is migrated",
          () -> metric(killed, "millrace_migrated_values_total") > 0);
      await(
          killed,
          "nothing migrated is committed",
          () -> latest(name, MigrationOnKafkaTest::isNew) > 0);
      kill(killed);
    }
    int before = latest(name, MigrationOnKafkaTest::isNew);
    assertTrue(before > 0 && before < KEYS, () -> before + " values are migrated");
    QUICK.set(Integer.MAX_VALUE);
    try (Job job = start(name, true)) {
      records += write(name, drawn(random, 200), sums);
      await(
          job, "the migration does not end", () -> metric(job, "millrace_migration_running") == 0);
      records += write(name, drawn(random, 40), sums);
      assertSums(name, records, sums);
      assertEquals(0, metric(job, "millrace_unmigrated_values_total"));
    }
    assertEquals(KEYS, latest(name, _ -> true));
    assertEquals(KEYS, latest(name, MigrationOnKafkaTest::isNew));
  }

  private static boolean isNew(byte[] value) {
    return new String(value, StandardCharsets.ISO_8859_1).startsWith(MARK);
  }

  /// How many keys of the store have a last value in the changelog that is such a one.
  private static int latest(String name, Predicate<byte[]> such) {
    Map<String, byte[]> latest = new TreeMap<>();
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers(),
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(name + "-changelog").stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          if (record.key()[0] != 0 || record.key()[1] != 0) { // a store's, not a commit record
            latest.put(new String(record.key(), StandardCharsets.ISO_8859_1), record.value());
          }
        }
      }
    }
    return (int) latest.values().stream().filter(such).count();
  }
}

package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A window with many keys, in a small heap, killed while it closes: each key has one result, and
/// it is the right one.
class ManyKeysTest {
  private static final int KILLS = 2;
  private static final int UNLIMITED = 100_000_000;
  private static final int PATIENCE_SECONDS = 240;

  @TempDir private Path directory;

  @Tag("thorough")
  @Test
  void aWindowOf50ThousandKeysIsKilledWhileItCloses() throws Exception {
    killWhileClosing(50_000, "2MB");
  }

  @Tag("thorough")
  @Test
  void aWindowOfAMillionKeysIsKilledWhileItCloses() throws Exception {
    killWhileClosing(1_000_000, "56MB");
  }

  private void killWhileClosing(int keys, String memory) throws Exception {
    try (BrokerProcess broker = new BrokerProcess(directory)) {
      load(broker.bootstrap(), keys);
      JobProcess.Start start =
          new JobProcess.Start(
              "keys",
              directory,
              UNLIMITED,
              false,
              List.of(
                  "--bootstrap=" + broker.bootstrap(),
                  "--workers=1", // who stands still for a kill stops the whole job
                  "--commit.interval=50ms",
                  "--state.flush-interval=1s",
                  "--memory.budget=" + memory));
      int before = 0;
      for (int kill = 0; kill < KILLS; kill++) {
        Aim aim = new Aim("commit ended", 0, kill == 0 ? 1 : keys / 5);
        try (JobProcess life = start.life("life-" + kill, aim)) {
          assertTrue(life.awaitAim(), life.process()::errors);
          life.process().kill();
        }
        int results =
            (int) Arrays.stream(results(broker.bootstrap(), keys)).filter(each -> each > 0).count();
        String progress = "%d results, then %d of %d keys".formatted(before, results, keys);
        assertTrue(results > before && results < keys, progress);
        before = results;
      }
      try (JobProcess last = start.life("last")) {
        assertEquals(0, last.awaitEnd(), last.process()::errors);
      }
      int[] found = results(broker.bootstrap(), keys);
      assertEquals(-1, Arrays.mismatch(expected(keys), found));
      System.out.println("crash schedules: 1 with a window of " + keys + " keys");
    }
  }

  /// Every third key comes twice.
  private static int[] expected(int keys) {
    return IntStream.range(0, keys).map(key -> key % 3 == 0 ? 2 : 1).toArray();
  }

  private static String name(int key) {
    return "key-%07d".formatted(key);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the flush at the end waits for all
  private static void load(String bootstrap, int keys) throws Exception {
    int[] times = expected(keys);
    try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap));
        KafkaProducer<String, Long> producer =
            new KafkaProducer<>(
                Map.of(
                    "bootstrap.servers",
                    bootstrap,
                    "linger.ms",
                    20,
                    "batch.size",
                    256 << 10,
                    // A broker that does not know its new topic yet may refuse a batch and take the
                    // one behind it.
                    "max.in.flight.requests.per.connection",
                    1),
                new StringSerializer(),
                new LongSerializer())) {
      NewTopic topic =
          new NewTopic(ManyKeys.NUMBERS, Optional.of(ManyKeys.PARTITIONS), Optional.empty());
      admin.createTopics(List.of(topic)).all().get();
      long time = 0;
      for (int round = 1; round <= 2; round++) {
        for (int key = 0; key < keys; key++) {
          if (times[key] >= round) {
            producer.send(new ProducerRecord<>(ManyKeys.NUMBERS, name(key), time++));
          }
        }
      }
    }
  }

  /// What is committed of the results; a key with two of them gets a sum that is far too large.
  private static int[] results(String bootstrap, int keys) throws Exception {
    List<TopicPartition> partitions =
        IntStream.range(0, ManyKeys.PARTITIONS)
            .mapToObj(partition -> new TopicPartition(ManyKeys.COUNTS, partition))
            .toList();
    awaitDecided(bootstrap, partitions);
    int[] found = new int[keys];
    try (KafkaConsumer<String, Long> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed"),
            new StringDeserializer(),
            new LongDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        for (ConsumerRecord<String, Long> record : consumer.poll(Duration.ofMillis(100))) {
          int key = Integer.parseInt(record.key().substring("key-".length()));
          found[key] = found[key] == 0 ? record.value().intValue() : found[key] + 1_000;
        }
      }
    }
    return found;
  }

  /// A commit is acknowledged before its marker makes the records visible.
  private static void awaitDecided(String bootstrap, List<TopicPartition> partitions)
      throws Exception {
    Map<TopicPartition, OffsetSpec> ends =
        partitions.stream().collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()));
    long until = System.nanoTime() + Duration.ofSeconds(PATIENCE_SECONDS).toNanos();
    try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrap))) {
      while (!ends(admin, ends, IsolationLevel.READ_COMMITTED)
          .equals(ends(admin, ends, IsolationLevel.READ_UNCOMMITTED))) {
        assertTrue(System.nanoTime() < until, "A transaction stays open in " + partitions);
      }
    }
  }

  private static Map<TopicPartition, Long> ends(
      Admin admin, Map<TopicPartition, OffsetSpec> ends, IsolationLevel level) throws Exception {
    return admin.listOffsets(ends, new ListOffsetsOptions(level)).all().get().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().offset()));
  }
}

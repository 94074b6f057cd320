package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two processes whose programs are replaced one after the other, by programs that read other
/// topics: both versions work at the same time, each on the tasks that it knows, and no record is
/// lost or counted twice.
class RollingInputsOnKafkaTest {
  private static final int SEEDS = 2;
  private static final int RESTARTS = 6;
  private static final int PARTITIONS = 4;
  private static final int KEYS = 16;
  private static final String BEFORE = "ab";
  private static final String AFTER = "ac";
  private static final String ALL = "abc";

  @TempDir Path directory;

  private final String name = uniqueName("rolling-inputs");
  private final Job[] jobs = new Job[2];

  /// Which topics the program of each container reads.
  private final String[] versions = new String[jobs.length];

  /// By topic and key, how many records were written.
  private final Map<String, Integer> expected = new TreeMap<>();

  /// Counts the records of each of its topics by their values.
  private record Counting(String name, String topics) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      for (String each : topics.split("")) {
        topology
            .from(Kafka.source(name + "-" + each).value(Serdes.string()).startAtEarliest())
            .groupBy("by-" + each, value -> value)
            .count("count-" + each)
            .toStream()
            .mapValues(count -> each + " " + count)
            .to(
                Kafka.sink(name + "-out")
                    .partitions(1)
                    .key(Serdes.string())
                    .value(Serdes.string()));
      }
    }
  }

  private JobConfig config(int container) {
    return JobConfig.of(bootstrapServers())
        .withPlacement(PlacementConfig.defaults().withWorkers(1))
        .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(50)))
        .withState(StateConfig.in(directory.resolve("state-" + container)))
        .withChange(new ChangeConfig(ChangeConfig.AUTO));
  }

  private void start(int container, String topics) throws InterruptedException {
    versions[container] = topics;
    jobs[container] = Millrace.start(new Counting(name, topics), config(container));
    LaunchTest.await(jobs[container], JobState.RUNNING);
  }

  @AfterEach
  void stop() {
    for (Job job : jobs) {
      if (job != null) {
        job.close();
      }
    }
  }

  /// @param killed whether its threads end where they are, without a last commit
  private void stop(int container, boolean killed) {
    if (killed) {
      Thread.currentThread().interrupt(); // so that nothing is waited for
    }
    jobs[container].close();
    assertEquals(killed, Thread.interrupted());
    assertNull(jobs[container].failure());
  }

  /// Writes a value of each key to each of the topics, each to a drawn partition.
  private void write(Random random, String topics) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (String topic : topics.split("")) {
        for (int key = 0; key < KEYS; key++) {
          int partition = random.nextInt(PARTITIONS);
          sent.add(
              producer.send(new ProducerRecord<>(name + "-" + topic, partition, null, "k" + key)));
          expected.merge("k" + key + " " + topic, 1, Integer::sum);
        }
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  /// What was written to some of the topics.
  private int written(String topics) {
    return expected.entrySet().stream()
        .filter(each -> topics.contains(each.getKey().split(" ")[1]))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /// Returns how many records of each topic and key were counted, once those of some topics are at
  /// least so many; checks that each count follows the one before.
  private Map<String, Integer> counted(String topics, int atLeast) {
    Patience patience = Patience.of(Duration.ofSeconds(60));
    for (int read = atLeast; ; read++) {
      Map<String, Integer> counts = new TreeMap<>();
      for (ConsumerRecord<String, String> each : SharedTopics.read(name + "-out", read)) {
        String[] value = each.value().split(" ");
        String counted = each.key() + " " + value[0];
        int count = counts.merge(counted, 1, Integer::sum);
        assertEquals(count, Integer.parseInt(value[1]), counted);
      }
      int found = sum(counts, topics);
      if (found >= atLeast) {
        return counts;
      }
      read = Math.max(read, counts.values().stream().mapToInt(each -> each).sum());
      assertTrue(!patience.isOver(), () -> topics + " has " + found + " of " + atLeast);
    }
  }

  private static int sum(Map<String, Integer> counts, String topics) {
    return counts.entrySet().stream()
        .filter(each -> topics.contains(each.getKey().split(" ")[1]))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  private static Map<String, Double> partlyRead(Job job) {
    Map<String, Double> found = new TreeMap<>();
    job.metrics().families().stream()
        .filter(each -> each.name().equals("millrace_partly_read_topics"))
        .flatMap(each -> each.points().stream())
        .forEach(each -> found.put(String.valueOf(each.labels().get("topic")), each.value()));
    return found;
  }

  private void awaitPartlyRead(Map<String, Double> wanted) {
    Patience patience = Patience.of(Duration.ofSeconds(30));
    for (Job job : jobs) {
      while (!partlyRead(job).equals(wanted)) {
        assertTrue(!patience.isOver(), () -> partlyRead(job) + ", and not " + wanted);
        patience.pause();
      }
    }
  }

  private void create() {
    for (String each : ALL.split("")) {
      SharedTopics.create(name + "-" + each, PARTITIONS);
    }
  }

  @Test
  void oneProcessAfterTheOtherGetsAProgramThatReadsOtherTopics() throws Exception {
    create();
    Random random = new Random(1);
    start(0, BEFORE);
    start(1, BEFORE);
    write(random, ALL);
    counted("ab", written("ab"));
    awaitPartlyRead(Map.of());
    stop(1, false);
    start(1, AFTER);
    awaitPartlyRead(Map.of(name + "-b", 1.0, name + "-c", 1.0));
    write(random, ALL);
    // Both read one of them, and each has the tasks of what only its version reads.
    assertEquals(expected, counted(ALL, written(ALL)));
    stop(0, false);
    start(0, AFTER);
    counted("ac", written("ac"));
    awaitPartlyRead(Map.of());
    // A third program reads on where the first one was.
    stop(0, false);
    start(0, ALL);
    awaitPartlyRead(Map.of(name + "-b", 1.0));
    stop(1, false);
    start(1, ALL);
    assertEquals(expected, counted(ALL, written(ALL)));
    for (Job job : jobs) {
      assertNull(job.failure());
    }
  }

  @Test
  void whateverIsRestartedOrKilledEachRecordIsCountedOnce() throws Exception {
    create();
    for (int seed = 1; seed <= SEEDS; seed++) {
      Random random = new Random(seed);
      start(0, BEFORE);
      start(1, BEFORE);
      for (int restart = 0; restart < RESTARTS; restart++) {
        write(random, ALL);
        if (random.nextBoolean()) {
          counted("a", written("a"));
        }
        // One of each version is killed, before and after it is replaced.
        int container = random.nextInt(2);
        stop(container, random.nextBoolean());
        write(random, ALL);
        start(container, random.nextBoolean() ? BEFORE : AFTER);
      }
      for (int container = 0; container < jobs.length; container++) {
        stop(container, true);
        start(container, versions[container]);
      }
      counted("a", written("a"));
      stop(0, true);
      stop(1, true);
      start(0, ALL);
      start(1, ALL);
      assertEquals(expected, counted(ALL, written(ALL)), "seed " + seed);
      stop(0, false);
      stop(1, false);
    }
  }
}

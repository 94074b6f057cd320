package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The topic that a job reads gets more partitions while it runs.
class EnlargedInputTest {
  private static final List<String> KEYS =
      IntStream.range(0, 40).mapToObj(i -> "key-" + i).toList();

  @TempDir Path directory;

  /// Counts its input by key.
  ///
  /// @param keyed whether the topic is said to be partitioned by its keys
  private record Counting(String name, boolean keyed) implements StreamApplication {
    String in() {
      return name + "-in";
    }

    String out() {
      return name + "-out";
    }

    @Override
    public void describe(Topology topology) {
      var out = Kafka.sink(out()).partitions(1).key(Serdes.string()).value(Serdes.string());
      if (keyed) {
        topology
            .from(Kafka.source(in()).key(Serdes.string()).value(Serdes.string()).startAtEarliest())
            .groupByKey()
            .count("n")
            .mapValues(Object::toString)
            .to(out);
      } else {
        topology
            .from(Kafka.source(in()).value(Serdes.string()).startAtEarliest())
            .groupBy("by-value", value -> value)
            .count("n")
            .mapValues(Object::toString)
            .to(out);
      }
    }
  }

  private Job start(Counting application) throws InterruptedException {
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(50)))
            .withState(StateConfig.in(directory).withFlushInterval(Duration.ofMillis(100)));
    Job job = Millrace.start(application, config);
    LaunchTest.await(job, JobState.RUNNING);
    return job;
  }

  private static Admin admin() {
    return Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrapServers()));
  }

  private static void grow(String topic, int partitions) throws Exception {
    try (Admin admin = admin()) {
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions))).all().get();
      while (admin
              .describeTopics(List.of(topic))
              .allTopicNames()
              .get()
              .get(topic)
              .partitions()
              .size()
          < partitions) {
        Thread.sleep(20);
      }
    }
  }

  /// A producer that is started anew, and so uses all partitions, each key once, and each value is
  /// its key.
  private static void writeAll(String topic) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers(), "linger.ms", "20"),
            new StringSerializer(),
            new StringSerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>(); // in batches, not one by one
      for (String key : KEYS) {
        sent.add(producer.send(new ProducerRecord<>(topic, key, key)));
      }
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
    }
  }

  /// Those of an application: others come and go beside it.
  private static Set<String> topics(Counting application) throws Exception {
    Set<String> all = topics();
    all.removeIf(topic -> !topic.startsWith(application.name()));
    return all;
  }

  private static Set<String> topics() throws Exception {
    try (Admin admin = admin()) {
      return new TreeSet<>(admin.listTopics().names().get());
    }
  }

  private static long end(String topic) throws Exception {
    TopicPartition only = new TopicPartition(topic, 0);
    try (Admin admin = admin()) {
      return admin
          .listOffsets(Map.of(only, OffsetSpec.latest()))
          .partitionResult(only)
          .get()
          .offset();
    }
  }

  /// What was counted: of each key 1, 2 and so on, none twice.
  private static int requireRight(Counting application, int atLeast) {
    Map<String, List<String>> counts = new TreeMap<>();
    SharedTopics.read(application.out(), atLeast)
        .forEach(
            each -> counts.computeIfAbsent(each.key(), _ -> new ArrayList<>()).add(each.value()));
    counts.forEach((key, found) ->
        assertEquals(
            IntStream.rangeClosed(1, found.size()).mapToObj(Integer::toString).toList(),
            found,
            key));
    return counts.values().stream().mapToInt(List::size).sum();
  }

  private JobFailure failure(Job job) throws InterruptedException {
    assertTrue(job.await(Duration.ofSeconds(60)), "The job goes on.");
    return Objects.requireNonNull(job.failure());
  }

  private static void assertNames(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), part + " in: " + message);
    }
  }

  @Test
  void aKeyThatWasMovedEndsTheJobBeforeItIsCounted() throws Exception {
    Counting application = new Counting(uniqueName("moved"), true);
    SharedTopics.create(application.in(), 4);
    try (Job job = start(application)) {
      for (int i = 0; i < 3; i++) {
        writeAll(application.in());
      }
      requireRight(application, 3 * KEYS.size());
      grow(application.in(), 6);
      writeAll(application.in());
      JobFailure failure = failure(job);
      assertEquals(ExitCode.USAGE, failure.exitCode(), failure.message());
      assertNames(
          failure.message(),
          "Topic '" + application.in() + "' had 4 partitions",
          "has 6 now",
          "groupBy(",
          "another name",
          "millrace app reset " + application.name());
      assertFalse(failure.message().contains("kafka-topics"), failure.message());
    }
    requireRight(application, 3 * KEYS.size());
    startIsRefused(application);
  }

  @ParameterizedTest
  @CsvSource({"true,8,16", "false,6,7"})
  void addedPartitionsAreRead(boolean keyed, int more, int most) throws Exception {
    Counting application = new Counting(uniqueName("added"), keyed);
    SharedTopics.create(application.in(), 4);
    try (Job job = start(application)) {
      writeAll(application.in());
      requireRight(application, KEYS.size());
      grow(application.in(), more);
      writeAll(application.in());
      assertEquals(2 * KEYS.size(), requireRight(application, 2 * KEYS.size()));
      assertTrue(
          job.metrics().families().stream()
              .filter(each -> each.name().equals("millrace_added_partitions"))
              .flatMap(each -> each.points().stream())
              .anyMatch(each ->
                  each.value() == more - 4 && application.in().equals(each.labels().get("topic"))));
      assertTrue(job.stop(Duration.ofSeconds(30)));
    }
    grow(application.in(), most);
    writeAll(application.in());
    try (Job job = start(application)) {
      assertEquals(3 * KEYS.size(), requireRight(application, 3 * KEYS.size()));
      writeAll(application.in());
      assertEquals(4 * KEYS.size(), requireRight(application, 4 * KEYS.size()));
      assertTrue(job.stop(Duration.ofSeconds(30)));
    }
  }

  @Test
  void aTopicOfResultsThatGrowsEndsNothing() throws Exception {
    Counting application = new Counting(uniqueName("sink"), true);
    SharedTopics.create(application.in(), 1);
    try (Job job = start(application)) {
      writeAll(application.in());
      grow(application.out(), 2);
      while (job.metrics().families().stream()
          .filter(each -> each.name().equals("millrace_unplanned_partitions"))
          .allMatch(each -> each.points().isEmpty())) {
        Thread.sleep(50);
        assertEquals(JobState.RUNNING, job.state());
      }
      writeAll(application.in());
      assertEquals(2 * KEYS.size(), requireRight(application, 2 * KEYS.size()));
      assertTrue(job.stop(Duration.ofSeconds(30)));
    }
  }

  @Test
  void aTopicThatIsMadeAnewWithFewerEndsTheJob() throws Exception {
    Counting application = new Counting(uniqueName("fewer"), true);
    SharedTopics.create(application.in(), 4);
    try (Job job = start(application)) {
      writeAll(application.in());
      requireRight(application, KEYS.size());
      try (Admin admin = admin()) {
        admin.deleteTopics(List.of(application.in())).all().get();
      }
      while (topics().contains(application.in())) {
        Thread.sleep(20);
      }
      SharedTopics.create(application.in(), 2);
      writeAll(application.in());
      assertNames(failure(job).message(), application.in());
    }
    assertEquals(KEYS.size(), requireRight(application, KEYS.size()));
  }

  /// Nothing is created or changed, and no advice is given that cannot be taken back. Somebody who
  /// adds the partitions all the same does not get the state of another task.
  private void startIsRefused(Counting application) throws Exception {
    Set<String> before = topics(application);
    Run run = run(application);
    assertEquals(ExitCode.USAGE, run.status, run.errors);
    assertNames(
        run.errors,
        "Topic '" + application.in() + "' had 4 partitions",
        "has 6 now",
        application.name() + "-changelog",
        "another name");
    assertFalse(run.errors.contains("kafka-topics"), run.errors);
    assertEquals(before, topics(application));
    long counted = end(application.out());
    grow(application.name() + "-changelog", 6);
    Run again = run(application);
    assertEquals(ExitCode.USAGE, again.status, again.errors);
    assertEquals(counted, end(application.out()));
  }

  private record Run(int status, String errors) {}

  private Run run(Counting application) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        new Launch(application, new PrintStream(new ByteArrayOutputStream()), new PrintStream(err))
            .run(
                List.of("--bootstrap=" + bootstrapServers(), "--state.directory=" + directory),
                Map.of());
    return new Run(status, err.toString(StandardCharsets.UTF_8));
  }
}

package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.KafkaConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.config.TopicsConfig;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Several topics in one source, by a list or a pattern, and topics that records choose.
class SeveralTopicsOnKafkaTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PARTITIONS = 3;
  private static final int KEYS = 11;

  @TempDir Path directory;

  private final String name = uniqueName("several");

  /// By key, how many records were written that the application reads.
  private final Map<String, Integer> expected = new TreeMap<>();

  private int written;

  /// Counts by key what comes from its topics.
  private record Counting(String name, KafkaKeyedSource<String, String> topics)
      implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(topics)
          .groupByKey()
          .count("n")
          .mapValues(Object::toString)
          .to(
              Kafka.sink(name + "-counts")
                  .partitions(1)
                  .key(Serdes.string())
                  .value(Serdes.string()));
    }
  }

  private static KafkaKeyedSource<String, String> described(Kafka.UntypedSource topics) {
    return topics.key(Serdes.string()).value(Serdes.string());
  }

  private String in(String which) {
    return name + "-in-" + which;
  }

  private Counting listing(String... which) {
    List<String> topics = new ArrayList<>();
    for (String each : which) {
      topics.add(in(each));
    }
    return new Counting(name, described(Kafka.sources(topics)).startAtEarliest());
  }

  private Counting matching() {
    Pattern pattern = Pattern.compile(Pattern.quote(name) + "-in-[a-z]");
    return new Counting(name, described(Kafka.sources(pattern)).startAtEarliest());
  }

  private JobConfig config(String state) {
    return JobConfig.of(bootstrapServers())
        .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(50)))
        .withState(
            StateConfig.in(directory.resolve(state)).withFlushInterval(Duration.ofMillis(200)));
  }

  private JobConfig config(int home) {
    return config("state-" + home).withPlacement(PlacementConfig.defaults().withWorkers(1));
  }

  private static void stop(Job job) throws InterruptedException {
    assertTrue(job.stop(Duration.ofSeconds(30)));
    assertNull(job.failure());
  }

  private JobFailure refused(StreamApplication application, JobConfig config)
      throws InterruptedException {
    try (Job job = Millrace.start(application, config)) {
      assertTrue(job.await(PATIENCE), () -> "It is " + job.state());
      JobFailure failure = job.failure();
      assertNotNull(failure);
      assertEquals(ExitCode.USAGE, failure.exitCode(), failure.message());
      return failure;
    }
  }

  private static void assertSays(JobFailure failure, String... parts) {
    for (String part : parts) {
      assertTrue(
          failure.message().contains(part), () -> "No '" + part + "' in " + failure.message());
    }
  }

  /// Writes as Kafka's own producer does.
  private void write(String topic, int count) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers(), "linger.ms", "5"),
            new StringSerializer(),
            new StringSerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String key = "key-" + written++ % KEYS;
        expected.merge(key, 1, Integer::sum);
        sent.add(producer.send(new ProducerRecord<>(topic, key, "v" + i)));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  /// Each record is counted once, and so each count of a key is there once, in order.
  private void awaitCounts() {
    int all = expected.values().stream().mapToInt(each -> each).sum();
    Map<String, Integer> last = new TreeMap<>();
    for (ConsumerRecord<String, String> each : SharedTopics.read(name + "-counts", all)) {
      int count = Integer.parseInt(each.value());
      assertEquals(last.getOrDefault(each.key(), 0) + 1, count, each.key());
      last.put(each.key(), count);
    }
    assertEquals(expected, last);
  }

  @Test
  void aTopicMoreInTheListIsReadFromItsStartAndOneLessIsRefused() throws Exception {
    for (String each : List.of("a", "b", "c")) {
      SharedTopics.create(in(each), PARTITIONS);
    }
    write(in("a"), 100);
    write(in("b"), 150);
    try (Job job = Millrace.start(listing("a", "b"), config("state"))) {
      SharedTopics.read(name + "-counts", 40); // somewhere in the middle
      stop(job);
    }
    write(in("b"), 50);
    try (Job job = Millrace.start(listing("a", "b"), config("state"))) {
      awaitCounts();
      stop(job);
    }
    write(in("c"), 120);
    write(in("a"), 30);
    JobFailure unsaid =
        refused(
            new Counting(name, described(Kafka.sources(in("a"), in("b"), in("c")))),
            config("state"));
    assertSays(unsaid, "reads '" + in("c") + "' for the first time", ".startAtEarliest()");
    try (Job job = Millrace.start(listing("b", "c", "a"), config("state"))) {
      awaitCounts();
      write(in("c"), 20);
      awaitCounts();
      stop(job);
    }
    assertSays(refused(listing("a", "c"), config("state")), "input '" + in("b") + "' is gone");
    // Without local state, too.
    write(in("c"), 20);
    try (Job job = Millrace.start(listing("a", "b", "c"), config("another"))) {
      awaitCounts();
      stop(job);
    }
  }

  @Test
  void keyedTopicsOfOtherPartitionsAreRefusedByName() throws Exception {
    SharedTopics.create(in("a"), 2);
    SharedTopics.create(in("b"), 3);
    assertSays(
        refused(listing("a", "b"), config("state")),
        "'" + in("a") + "' has 2",
        "'" + in("b") + "' has 3");
  }

  private static double unread(Job job) {
    return job.metrics().families().stream()
        .filter(each -> each.name().equals("millrace_unread_topics"))
        .flatMap(each -> each.points().stream())
        .mapToDouble(each -> each.value())
        .sum();
  }

  private static void awaitUnread(Job job, int count) throws InterruptedException {
    while (unread(job) != count) {
      Thread.sleep(50);
      assertEquals(JobState.RUNNING, job.state(), () -> String.valueOf(job.failure()));
    }
  }

  @Test
  void whatMatchesAPatternIsReadFromTheNextStartOn() throws Exception {
    assertSays(
        refused(matching(), config("state")),
        "No topic matches '",
        "-in-[a-z]', an input pattern of application '" + name + "'",
        "millrace topics create");
    SharedTopics.create(in("a"), PARTITIONS);
    SharedTopics.create(in("other"), PARTITIONS);
    write(in("a"), 50);
    try (Job job = Millrace.start(matching(), config("state"))) {
      awaitCounts();
      assertEquals(0, unread(job));
      SharedTopics.create(in("b"), PARTITIONS);
      awaitUnread(job, 1);
      write(in("a"), 20);
      awaitCounts();
      stop(job);
    }
    write(in("b"), 70);
    try (Job job = Millrace.start(matching(), config("state"))) {
      awaitCounts();
      stop(job);
    }
    // A list of the same is the same.
    write(in("b"), 30);
    try (Job job = Millrace.start(listing("a", "b"), config("state"))) {
      awaitCounts();
      stop(job);
    }
  }

  @Test
  void allProcessesReadTheSame() throws Exception {
    SharedTopics.create(in("a"), PARTITIONS);
    write(in("a"), 60);
    try (Job first = Millrace.start(matching(), config(0))) {
      try (Job second = Millrace.start(matching(), config(1))) {
        awaitCounts();
        LaunchTest.await(second, JobState.RUNNING);
        SharedTopics.create(in("b"), PARTITIONS);
        awaitUnread(second, 1);
        stop(second);
      }
      // What was started again reads what the other one does.
      try (Job second = Millrace.start(matching(), config(1))) {
        LaunchTest.await(second, JobState.RUNNING);
        awaitUnread(second, 1);
        write(in("a"), 40);
        awaitCounts();
        stop(second);
      }
      assertEquals(JobState.RUNNING, first.state());
      stop(first);
    }
    write(in("b"), 80);
    try (Job first = Millrace.start(matching(), config(0));
        Job second = Millrace.start(matching(), config(1))) {
      awaitCounts();
      stop(first);
      stop(second);
    }
  }

  /// Writes each record to the topic that its value begins with.
  private record Routing(String name, boolean creates) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      Kafka.UntypedSink out = Kafka.sinksUnder(name + "-out-");
      topology
          .from(
              Kafka.source(name + "-in")
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .startAtEarliest())
          .to(
              value -> "%s-out-%s".formatted(name, value.split(" ", -1)[0]),
              (creates ? out.partitions(2) : out).key(Serdes.string()).value(Serdes.string()));
    }
  }

  @ParameterizedTest
  @EnumSource(DataPlane.class)
  void topicsThatRecordsChooseAreWrittenOnceWhereverTheJobIsStopped(DataPlane plane)
      throws Exception {
    String in = name + "-in";
    SharedTopics.create(in, PARTITIONS);
    SharedTopics.create(name + "-out-3", 5);
    JobConfig config =
        config("state").withKafka(KafkaConfig.of(bootstrapServers()).withDataPlane(plane));
    Routing existing = new Routing(name, false);
    Map<String, List<String>> routed = new TreeMap<>();
    send(routed, 3, 4);
    try (Job job = Millrace.start(existing, config)) {
      assertEquals(routed.get("3"), read("3", routed));
      stop(job);
    }
    assertSays(
        refused(
            new Routing(name, true), config.withTopics(TopicsConfig.defaults().withCreate(false))),
        "topics.create is false",
        name + "-out-*");
    SharedTopics.create(name + "-out-0", 2);
    SharedTopics.create(name + "-out-1", 1);
    send(routed, 0, 2);
    try (Job job = Millrace.start(existing, config)) {
      assertEquals(routed.get("1"), read("1", routed));
      send(routed, 0, 2);
      stop(job);
    }
    try (Job job = Millrace.start(existing, config)) {
      send(routed, 0, 2);
      for (String topic : List.of("0", "1")) {
        assertEquals(routed.get(topic), read(topic, routed));
      }
      send(routed, 7, 8);
      assertTrue(job.await(PATIENCE), () -> "It is " + job.state());
      assertSays(job.failure(), "topic '" + name + "-out-7'", "does not exist");
      assertEquals(ExitCode.BAD_INPUT, job.failure().exitCode());
    }
    SharedTopics.create(name + "-out-7", 2);
    try (Job job = Millrace.start(existing, config)) {
      for (String topic : List.of("0", "1", "3", "7")) {
        assertEquals(routed.get(topic), read(topic, routed));
      }
      stop(job);
    }
  }

  @ParameterizedTest
  @EnumSource(DataPlane.class)
  void topicsAreCreatedWhenRecordsFirstChooseThem(DataPlane plane) throws Exception {
    SharedTopics.create(name + "-in", PARTITIONS);
    JobConfig config =
        config("state").withKafka(KafkaConfig.of(bootstrapServers()).withDataPlane(plane));
    Map<String, List<String>> routed = new TreeMap<>();
    send(routed, 0, 4);
    try (Job job = Millrace.start(new Routing(name, true), config)) {
      assertEquals(routed.get("2"), read("2", routed));
      send(routed, 2, 6);
      for (String topic : routed.keySet()) {
        assertEquals(routed.get(topic), read(topic, routed));
      }
      stop(job);
    }
  }

  /// Writes records for some topics in turn.
  private void send(Map<String, List<String>> routed, int from, int to) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers(), "linger.ms", "5"),
            new StringSerializer(),
            new StringSerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        String topic = Integer.toString(from + i % (to - from));
        String value = topic + " " + written++;
        List<String> values = routed.computeIfAbsent(topic, _ -> new ArrayList<>());
        values.add(value);
        values.sort(null);
        sent.add(producer.send(new ProducerRecord<>(name + "-in", "key-" + written % KEYS, value)));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  /// All that is committed to a topic, once there is as much as was sent there, sorted.
  private List<String> read(String which, Map<String, List<String>> routed) {
    String topic = name + "-out-" + which;
    int count = routed.getOrDefault(which, List.of()).size();
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers(),
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false);
    long begunNanos = System.nanoTime();
    List<String> found = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      while (partitions.isEmpty()) {
        consumer
            .listTopics()
            .getOrDefault(topic, List.of())
            .forEach(each -> partitions.add(new TopicPartition(topic, each.partition())));
        assertTrue(System.nanoTime() - begunNanos < PATIENCE.toNanos(), "No topic " + topic);
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (found.size() < count) {
        assertTrue(
            System.nanoTime() - begunNanos < PATIENCE.toNanos(),
            () -> topic + " has " + found.size() + " records of " + count);
        consumer.poll(Duration.ofMillis(100)).forEach(each -> found.add(each.value()));
      }
    }
    found.sort(null);
    return found;
  }
}

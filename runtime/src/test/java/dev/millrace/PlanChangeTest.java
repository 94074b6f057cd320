package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Grouped;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.config.TopicsConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application that is started with another program over the state it has.
class PlanChangeTest {
  /// The start of a window of one minute and of one of two.
  private static final long START = 1_700_000_040;

  private static final int PAUSE_MILLIS = 10;

  @TempDir Path directory;

  private JobConfig config(String state) {
    return config(
        StateConfig.in(directory.resolve(state)).withFlushInterval(Duration.ofSeconds(10)));
  }

  private static JobConfig config(StateConfig state) {
    // One worker restores all tasks before it begins any, so the state speaks first.
    return JobConfig.of(bootstrapServers())
        .withPlacement(PlacementConfig.defaults().withWorkers(1))
        .withState(state);
  }

  /// A program called that way.
  private record Named(String name, Consumer<Topology> program) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      program.accept(topology);
    }
  }

  /// Counts orders in windows; an order is the second of its time.
  private static StreamApplication perWindow(String name, Duration size) {
    return new Named(
        name,
        topology ->
            topology
                .from(
                    Kafka.source(name + "-in")
                        .value(Serdes.string())
                        .eventTime(value -> Instant.ofEpochSecond(Long.parseLong(value)))
                        .startAtEarliest())
                .groupBy("all", value -> "all")
                .window(Windows.tumbling(size))
                .count("per-window")
                .results(result -> result.window().start().getEpochSecond() + "=" + result.value())
                .to(
                    Kafka.sink(name + "-out")
                        .partitions(1)
                        .key(Serdes.string())
                        .value(Serdes.string())));
  }

  private static void writeOrders(String name, int from, int to) {
    SharedTopics.write(
        name + "-in",
        IntStream.range(from, to)
            .mapToObj(second -> Long.toString(START + second))
            .toArray(String[]::new));
  }

  private static List<String> results(String name, int count) {
    return SharedTopics.read(name + "-out", count).stream().map(each -> each.value()).toList();
  }

  private static void runUntil(StreamApplication application, JobConfig config, Runnable wait) {
    try (Job job = Millrace.start(application, config)) {
      wait.run();
      assertNull(job.failure());
    }
  }

  /// Starts what cannot be started, and says why.
  private static JobFailure refused(StreamApplication application, JobConfig config)
      throws InterruptedException {
    try (Job job = Millrace.start(application, config)) {
      assertTrue(job.await(Duration.ofSeconds(20)), "It was accepted, and runs.");
      JobFailure failure = job.failure();
      assertNotNull(failure);
      assertEquals(ExitCode.USAGE, failure.exitCode(), failure.message());
      return failure;
    }
  }

  private static void assertSays(JobFailure failure, String... parts) {
    for (String part : parts) {
      assertTrue(failure.message().contains(part), "No '" + part + "' in " + failure.message());
    }
  }

  @Test
  void aWindowOfAnotherSizeIsRefusedAndTheOldProgramGoesOn() throws Exception {
    String name = uniqueName("resized");
    SharedTopics.create(name + "-in", 1);
    writeOrders(name, 0, 200);
    StreamApplication old = perWindow(name, Duration.ofMinutes(1));
    List<String> expected = new ArrayList<>();
    IntStream.range(0, 3).forEach(minute -> expected.add(START + 60 * minute + "=60"));
    runUntil(old, config("state"), () -> assertEquals(expected, results(name, 3)));

    StreamApplication changed = perWindow(name, Duration.ofMinutes(2));
    Map<String, Long> before = ends(name);
    for (String state : List.of("state", "elsewhere")) {
      assertSays(
          refused(changed, config(state)),
          "count 'per-window'",
          "stores 'per-window'",
          "size was 1m, is 2m",
          "millrace app reset " + name);
    }
    assertEquals(before, ends(name));

    writeOrders(name, 200, 320);
    expected.add(START + 180 + "=60");
    expected.add(START + 240 + "=60");
    runUntil(old, config("state"), () -> assertEquals(expected, results(name, 5)));
  }

  /// Where the topics of an application end.
  private static Map<String, Long> ends(String name) throws Exception {
    try (Admin admin =
        Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrapServers()))) {
      Map<String, Long> ends = new TreeMap<>();
      for (String topic : admin.listTopics().names().get()) {
        if (topic.startsWith(name)) {
          TopicPartition first = new TopicPartition(topic, 0);
          ends.put(
              topic,
              admin
                  .listOffsets(Map.of(first, OffsetSpec.latest()))
                  .partitionResult(first)
                  .get()
                  .offset());
        }
      }
      return ends;
    }
  }

  /// Counts words by a letter, once or twice.
  private static StreamApplication words(
      String name, Mapper<String, String> letter, boolean twice) {
    return new Named(
        name,
        topology -> {
          Grouped<String, String> byLetter =
              topology
                  .from(
                      Kafka.source(name + "-in")
                          .value(Serdes.string())
                          .startAtEarliest()
                          .asBounded())
                  .groupBy("by-letter", letter);
          byLetter.count("letters").toStream().to(counts(name));
          if (twice) {
            byLetter.count("again").toStream().to(counts(name));
          }
        });
  }

  private static KafkaKeyedSink<String, Long> counts(String name) {
    return Kafka.sink(name + "-out").partitions(1).key(Serdes.string()).value(Serdes.longs());
  }

  private static void runs(StreamApplication application, JobConfig config)
      throws InterruptedException {
    try (Job job = Millrace.start(application, config)) {
      assertTrue(job.await(Duration.ofSeconds(60)));
      assertNull(job.failure());
    }
  }

  private static String last(String word) {
    return word.substring(word.length() - 1);
  }

  @Test
  void aRemovedOperatorIsRefusedBehindACrashWithAndWithoutLocalState() throws Exception {
    String name = uniqueName("removed");
    SharedTopics.create(name + "-in", 1);
    SharedTopics.write(name + "-in", "one", "two");
    StreamApplication old = words(name, PlanChangeTest::last, true);
    runs(old, config("state"));
    // As a crash leaves it: behind the changelog.
    copy(directory.resolve("state"), directory.resolve("crashed"));
    SharedTopics.write(name + "-in", "three");
    runs(old, config("state"));

    StreamApplication changed = words(name, PlanChangeTest::last, false);
    for (String state : List.of("crashed", "elsewhere", "state")) {
      assertSays(refused(changed, config(state)), "count 'again' (store 'again') is gone");
    }
    SharedTopics.write(name + "-in", "four");
    runs(old, config("crashed"));
  }

  /// What is recorded of plans may be lost, too.
  @Test
  void aRemovedOperatorIsRefusedByTheStateItself() throws Exception {
    String name = uniqueName("unrecorded");
    SharedTopics.create(name + "-in", 1);
    SharedTopics.write(name + "-in", "one", "two");
    StreamApplication old = words(name, PlanChangeTest::last, true);
    runs(old, config("state"));
    copy(directory.resolve("state"), directory.resolve("crashed"));
    SharedTopics.write(name + "-in", "three");
    runs(old, config("state"));
    StreamApplication changed = words(name, PlanChangeTest::last, false);
    for (String state : List.of("crashed", "elsewhere", "state")) {
      delete(name + "-versions");
      assertSays(refused(changed, config(state)), "Run the same topology", "another name");
    }
  }

  private static void delete(String topic) throws Exception {
    try (Admin admin =
        Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrapServers()))) {
      if (admin.listTopics().names().get().contains(topic)) {
        admin.deleteTopics(List.of(topic)).all().get();
      }
      while (admin.listTopics().names().get().contains(topic)) {
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (java.util.stream.Stream<Path> all = Files.walk(from)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        Files.copy(each, to.resolve(from.relativize(each)));
      }
    }
  }

  private static String first(String word) {
    return word.substring(0, 1);
  }

  @Test
  void anotherKeyFunctionIsRefusedUnlessItIsAccepted() throws Exception {
    String name = uniqueName("rekeyed");
    SharedTopics.create(name + "-in", 1);
    SharedTopics.write(name + "-in", "one", "two");
    runs(words(name, word -> last(word), true), config("state"));
    StreamApplication changed = words(name, word -> first(word), true);
    JobFailure failure = refused(changed, config("state"));
    assertSays(failure, "exchange 'by-letter'", "code of the key function", "--change.accept=");
    Matcher code = Pattern.compile("--change\\.accept=([0-9a-f]{8})\\b").matcher(failure.message());
    assertTrue(code.find());
    JobConfig state = config("state");
    refused(changed, state.withChange(new ChangeConfig("00000000")));
    refused(
        words(name, word -> first(word), false), state.withChange(new ChangeConfig(code.group(1))));
    runs(changed, state.withChange(new ChangeConfig(code.group(1))));
    runs(changed, config("state"));
    runs(changed, state.withChange(new ChangeConfig(code.group(1))));
    // The one before may be returned to; another one would have to be accepted.
    runs(words(name, word -> last(word), true), config("state"));
    refused(
        words(name, word -> last(word) + first(word), true),
        state.withChange(new ChangeConfig(code.group(1))));
  }

  @Test
  void theTopicOfVersionsIsAskedForWhereTopicsAreNotCreated() throws Exception {
    String name = uniqueName("asked");
    SharedTopics.create(name + "-in", 1);
    JobFailure failure =
        refused(
            words(name, PlanChangeTest::last, true),
            config("state").withTopics(TopicsConfig.defaults().withCreate(false)));
    assertSays(
        failure, "--topic " + name + "-versions --partitions 1 --config cleanup.policy=compact");
    assertFalse(failure.message().contains("offset"));
  }
}

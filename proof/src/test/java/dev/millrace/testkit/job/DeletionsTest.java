package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.settings.OnError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Topics that are read and written with their records without a value.
class DeletionsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /// A second behind the record's own timestamp, where there is a value.
  private static final KafkaKeyedSource<String, Optional<String>> USERS =
      textSource("users")
          .eventTime(value -> START.plusSeconds(Long.parseLong(value) + 1), Duration.ofSeconds(9))
          .withDeletions();

  /// @param value a number of seconds; null if there is none
  private record Sent(String key, int second, @Nullable String value) {
    static Sent of(int number) {
      String value = number % 3 == 1 ? null : Integer.toString(number);
      return new Sent("k" + number * 7 % 5, number, value);
    }

    int eventSecond() {
      return value == null ? second : second + 1;
    }

    String text() {
      return value == null ? "gone" : value;
    }
  }

  private static final List<Sent> SENT =
      List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15).stream().map(Sent::of).toList();

  private static KafkaKeyedSource<String, String> textSource(String topic) {
    return Kafka.source(topic).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> textSink(String topic) {
    return Kafka.sink(topic).key(Serdes.string()).value(Serdes.string());
  }

  private static StreamApplication application(Consumer<Topology> describes) {
    return new StreamApplication() {
      @Override
      public String name() {
        return "deletions";
      }

      @Override
      public void describe(Topology topology) {
        describes.accept(topology);
      }
    };
  }

  private static void describe(Topology topology) {
    var users = topology.from(USERS);
    users.to(textSink("copy").withDeletions());
    users.filter(Optional::isEmpty).mapValues(_ -> "gone").to(textSink("gone"));
    users
        .groupByKey()
        .latest("latest")
        .toStream()
        .mapValues(value -> value.orElse("gone"))
        .to(textSink("latest"));
    users.groupBy("by-text", value -> value.orElse("gone")).stream()
        .mapValues(value -> value.filter(text -> text.length() == 1))
        .to(textSink("short").withDeletions());
    users
        .groupByKey()
        .window(Windows.tumbling(Duration.ofSeconds(5)).onlyFinal())
        .count("n")
        .results(result -> result.window().start().getEpochSecond() + ":" + result.value())
        .to(textSink("counts"));
  }

  private static void send(TestJob job) {
    var users = job.input("users");
    for (Sent each : SENT) {
      users.at(START.plusSeconds(each.second));
      if (each.value == null) {
        users.delete(each.key);
      } else {
        users.send(each.key, Optional.of(each.value));
      }
    }
    users.end();
  }

  private static List<String> lines(TestJob job, String topic) {
    return job.output(topic).records().stream()
        .map(record ->
            record.key()
                + "="
                + record.value()
                + "@"
                + (record.timestamp().getEpochSecond() - START.getEpochSecond()))
        .sorted()
        .toList();
  }

  private static void check(TestJob job) {
    List<String> copy = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    List<String> shortOnes = new ArrayList<>();
    Map<String, String> latest = new TreeMap<>();
    Map<String, Integer> counts = new TreeMap<>();
    for (Sent each : SENT) {
      String time = "@" + each.eventSecond();
      copy.add(each.key + "=" + (each.value == null ? null : Optional.of(each.value)) + time);
      if (each.value == null) {
        gone.add(each.key + "=gone" + time);
      }
      boolean isShort = each.value != null && each.value.length() == 1;
      shortOnes.add(each.text() + "=" + (isShort ? Optional.of(each.value) : null) + time);
      latest.put(each.key, each.text());
      long window = START.getEpochSecond() + each.eventSecond() / 5 * 5;
      counts.merge(each.key + "=" + window, 1, Integer::sum);
    }
    assertEquals(copy.stream().sorted().toList(), lines(job, "copy"));
    assertEquals(gone.stream().sorted().toList(), lines(job, "gone"));
    assertEquals(shortOnes.stream().sorted().toList(), lines(job, "short"));
    assertEquals(latest, new TreeMap<>(job.output("latest").latest()));
    assertEquals(
        counts.entrySet().stream().map(each -> each.getKey() + ":" + each.getValue()).toList(),
        job.output("counts").records().stream()
            .map(record -> record.key() + "=" + record.value())
            .sorted()
            .toList());
  }

  @Test
  void theyAreEmptyValuesEverywhere() {
    Harsh.of(application(DeletionsTest::describe), DeletionsTest::send)
        .then(DeletionsTest::check)
        .check();
  }

  @Test
  void bytesAreCopiedWithTheirDeletions() {
    var application =
        application(topology ->
            topology
                .from(Kafka.source("users").bytes().withDeletions())
                .to(Kafka.sink("copy").bytes().withDeletions()));
    try (TestJob job = TestJob.of(application)) {
      var users = job.input(Kafka.source("users").bytes());
      Bytes key = Bytes.ofUtf8("a");
      users.send(key, Bytes.ofUtf8("1")).delete(key).send(key, Bytes.ofUtf8(""));
      var values = new ArrayList<@Nullable Bytes>();
      job.output(Kafka.sink("copy").bytes())
          .records()
          .forEach(record -> values.add(record.value()));
      assertEquals(3, values.size());
      assertEquals(Bytes.ofUtf8("1"), values.get(0));
      assertEquals(null, values.get(1));
      assertEquals(Bytes.ofUtf8(""), values.get(2));
    }
  }

  @Test
  void viewsAreCopied() {
    var application =
        application(topology ->
            topology
                .from(Kafka.source("users").value(Serdes.view()).withDeletions())
                .map(value -> value.map(Bytes::toUtf8).orElse("gone"))
                .to(Kafka.sink("out").value(Serdes.string())));
    try (TestJob job = TestJob.of(application).partitions(1)) {
      var users = job.input(Kafka.source("users").bytes());
      Bytes key = Bytes.ofUtf8("a");
      users.send(key, Bytes.ofUtf8("1")).delete(key).send(key, Bytes.ofUtf8("2"));
      job.output("out").hasValues("1", "gone", "2");
    }
  }

  @Test
  void oneThatIsWrittenNeedsAKey() {
    var application =
        application(topology ->
            topology
                .from(textSource("users").withDeletions())
                .map(value -> value)
                .to(Kafka.sink("out").value(Serdes.string()).withDeletions()));
    try (TestJob job = TestJob.of(application).partitions(1).onError(OnError.FAIL)) {
      job.input("users").send("a", Optional.of("1")).delete("b");
      String failure = job.failure();
      assertTrue(failure.contains("users:0:1"), failure);
      assertTrue(failure.contains("deletes its key, but this one has no key"), failure);
    }
  }

  @Test
  void aTableHasThemAnyway() {
    for (Consumer<Topology> table :
        List.<Consumer<Topology>>of(
            topology -> topology.table("users", USERS),
            topology -> topology.broadcastTable("users", USERS))) {
      var refused =
          assertThrows(
              InvalidTopologyException.class, () -> TestJob.of(application(table)).process());
      assertTrue(refused.getMessage().contains("leave out withDeletions()"), refused.getMessage());
    }
  }
}

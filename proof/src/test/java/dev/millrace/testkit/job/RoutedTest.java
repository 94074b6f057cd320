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
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.settings.OnError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Sinks that are chosen by the record.
class RoutedTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int RECORDS = 24;

  private static KafkaKeyedSource<String, String> source(String name) {
    return Kafka.source(name).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> sink(String name) {
    return Kafka.sink(name).key(Serdes.string()).value(Serdes.string());
  }

  /// @param topics that records may go to
  private record Routes(List<String> topics) implements StreamApplication {
    @Override
    public String name() {
      return "routes";
    }

    @Override
    public void describe(Topology topology) {
      var in = topology.from(source("in"));
      in.to(
          value -> value.substring(0, value.indexOf(' ')),
          topics.stream().map(RoutedTest::sink).toList());
      in.mapValues(value -> value + "!")
          .to(
              value -> "other-" + value.charAt(0),
              topics.stream().map(each -> sink("other-" + each)).toList());
      in.groupByKey()
          .window(Windows.tumbling(Duration.ofSeconds(6)))
          .count("n")
          .results(result -> result.value().toString())
          .to(
              count -> Integer.parseInt(count) % 2 == 0 ? "even" : "odd",
              List.of(sink("even"), sink("odd")));
    }
  }

  private static String key(int number) {
    return "k" + number % 3;
  }

  private static String value(int number) {
    return "abc".charAt(number * 5 % 7 % 3) + " " + number;
  }

  private static void send(TestJob job) {
    var in = job.input("in");
    for (int i = 0; i < RECORDS; i++) {
      in.at(START.plusSeconds(second(i))).send(key(i), value(i));
    }
    in.end();
  }

  /// The last comes late.
  private static int second(int number) {
    return number == RECORDS - 1 ? 15 : number;
  }

  private static void check(TestJob job) {
    Map<String, Integer> counts = new TreeMap<>();
    Map<String, List<String>> routed = new TreeMap<>();
    for (int i = 0; i < RECORDS; i++) {
      routed
          .computeIfAbsent(value(i).substring(0, 1), _ -> new ArrayList<>())
          .add(key(i) + "=" + value(i));
      counts.merge(key(i) + "@" + second(i) / 6 * 6, 1, Integer::sum);
    }
    assertEquals(3, routed.size());
    routed.forEach((topic, lines) -> {
      assertEquals(lines.stream().sorted().toList(), lines(job, topic));
      assertEquals(
          lines.stream().map(line -> line + "!").sorted().toList(), lines(job, "other-" + topic));
    });
    // Of corrected results the last of each key and time that still holds.
    Map<String, Integer> found = new TreeMap<>();
    for (String topic : List.of("even", "odd")) {
      Map<String, String> last = new TreeMap<>();
      job.output(topic)
          .records()
          .forEach(record -> {
            long end = record.timestamp().getEpochSecond() - START.getEpochSecond();
            last.put(record.key() + "@" + end / 6 * 6, String.valueOf(record.value()));
          });
      last.forEach((place, count) -> {
        if (!count.equals("null")) {
          assertEquals(null, found.put(place, Integer.parseInt(count)), place);
        }
      });
    }
    assertEquals(counts, found);
  }

  private static List<String> lines(TestJob job, String topic) {
    return job.output(topic).records().stream()
        .map(record -> record.key() + "=" + record.value())
        .sorted()
        .toList();
  }

  @Test
  void eachRecordIsInTheTopicThatItChooses() {
    Harsh.of(new Routes(List.of("a", "b", "c")), RoutedTest::send).then(RoutedTest::check).check();
  }

  @Test
  void aTopicThatIsNotInTheListIsBadInput() {
    Routes application = new Routes(List.of("a", "b"));
    try (TestJob job = TestJob.of(application).partitions(1).onError(OnError.FAIL)) {
      job.input("in").send("k", "a 1").send("k", "x 2");
      String failure = job.failure();
      assertTrue(failure.contains("in:0:1"), failure);
      assertTrue(failure.contains("is routed to topic 'x', which is not one of"), failure);
      assertTrue(failure.contains("a, b"), failure);
    }
    try (TestJob job = TestJob.of(application).partitions(1).onError(OnError.DEAD_LETTER)) {
      job.input("in").send("k", "a 1").send("k", "x 2").send("k", "b 3");
      job.output("a").hasValues("a 1");
      job.output("b").hasValues("b 3");
      assertEquals(1, job.deadLetters().size());
    }
  }

  @Test
  void sinksAreSeveralWithATopicEach() {
    for (List<String> topics : List.of(List.<String>of(), List.of("a", "b", "a"))) {
      var refused =
          assertThrows(
              InvalidTopologyException.class, () -> TestJob.of(new Routes(topics)).process());
      assertTrue(refused.getMessage().contains("each with another topic"), refused.getMessage());
    }
  }
}

package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.settings.OnError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Key, headers and timestamp of the records that a sink writes.
class SetForOutputsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int RECORDS = 24;
  private static final int WINDOW = 6;

  private static KafkaKeyedSource<String, String> textSource(String topic) {
    return Kafka.source(topic).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> textSink(String topic) {
    return Kafka.sink(topic).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaSource<String> unkeyedSource(String topic) {
    return Kafka.source(topic).value(Serdes.string());
  }

  private static KafkaSink<String> unkeyedSink(String topic) {
    return Kafka.sink(topic).value(Serdes.string());
  }

  private static StreamApplication application(Consumer<Topology> describes) {
    return new StreamApplication() {
      @Override
      public String name() {
        return "set";
      }

      @Override
      public void describe(Topology topology) {
        describes.accept(topology);
      }
    };
  }

  private static void put(RecordHeaders headers, String name, Object value) {
    headers.add(name, value.toString().getBytes(StandardCharsets.UTF_8));
  }

  /// The last sign of a value.
  private static String digit(String value) {
    return value.substring(value.length() - 1);
  }

  private static Instant hour(String value) {
    return START.minus(Duration.ofHours(Long.parseLong(value.substring(1))));
  }

  private static void describe(Topology topology) {
    var in = topology.from(textSource("in"));
    var plain = topology.from(unkeyedSource("plain"));
    // Bytes of values are copied there, but for headers and timestamps.
    in.to(textSink("told").headers((record, headers) -> put(headers, "key", record.key())));
    in.mapValues(value -> value + "!")
        .to(
            textSink("made")
                .headers((record, headers) -> {
                  headers.remove("trace");
                  put(headers, "time", record.timestamp() / 1_000 - START.getEpochSecond());
                  put(headers, "value", record.value());
                }));
    in.to(textSink("cleared").headers((_, headers) -> headers.clear()));
    in.to(textSink("hours").timestamp(SetForOutputsTest::hour));
    in.to(
        textSink("rekeyed")
            .headers((record, headers) -> put(headers, "key", record.key()))
            .key(SetForOutputsTest::digit));
    plain.to(textSink("keyed").timestamp(SetForOutputsTest::hour).key(SetForOutputsTest::digit));
    plain.to(
        unkeyedSink("copied").headers((record, headers) -> put(headers, "of", record.value())));
    in.groupByKey()
        .window(Windows.tumbling(Duration.ofSeconds(WINDOW)))
        .count("n")
        .results(result -> "" + result.value())
        .to(
            textSink("counts")
                .withRetractions()
                .timestamp(count -> START.plusSeconds(Long.parseLong(count)))
                .headers((record, headers) ->
                    put(headers, "was", record.key() + record.value() + record.timestamp())));
    in.groupByKey()
        .latest("latest")
        .filter(value -> Integer.parseInt(digit(value)) < 3)
        .to(
            textSink("small")
                .headers((record, headers) ->
                    put(headers, "does", record.isRetraction() ? "delete" : "put")));
  }

  private record Sent(String key, String value, int second) {
    static Sent of(int number) {
      // The last is late.
      return new Sent("k" + number % 3, "v" + number, number == RECORDS - 1 ? 15 : number);
    }
  }

  private static final List<Sent> SENT = new ArrayList<>();

  static {
    for (int i = 0; i < RECORDS; i++) {
      SENT.add(Sent.of(i));
    }
  }

  private static void send(TestJob job) {
    for (Sent each : SENT) {
      Instant at = START.plusSeconds(each.second);
      job.input("in").at(at).header("trace", "t" + each.value).send(each.key, each.value);
      job.input("plain").at(at).header("trace", "t" + each.value).send(each.value);
    }
    job.input("in").end();
    job.input("plain").end();
  }

  private static String line(Object key, Object value, Instant time, Map<String, String> headers) {
    return "%s=%s@%d%s"
        .formatted(key, value, time.getEpochSecond() - START.getEpochSecond(), headers);
  }

  private static List<String> lines(TestJob job, String topic) {
    return job.output(topic).records().stream()
        .map(record ->
            line(record.key(), record.value(), record.timestamp(), new TreeMap<>(record.headers())))
        .sorted()
        .toList();
  }

  private static void check(TestJob job) {
    Map<String, List<String>> expected = new TreeMap<>();
    for (Sent each : SENT) {
      Instant time = START.plusSeconds(each.second);
      String trace = "t" + each.value;
      add(
          expected,
          "told",
          line(each.key, each.value, time, new TreeMap<>(Map.of("key", each.key, "trace", trace))));
      add(
          expected,
          "made",
          line(
              each.key,
              each.value + "!",
              time,
              new TreeMap<>(Map.of("time", "" + each.second, "value", each.value + "!"))));
      add(expected, "cleared", line(each.key, each.value, time, Map.of()));
      Map<String, String> traced = Map.of("trace", trace);
      add(expected, "hours", line(each.key, each.value, hour(each.value), traced));
      String digit = digit(each.value);
      add(
          expected,
          "rekeyed",
          line(digit, each.value, time, new TreeMap<>(Map.of("key", digit, "trace", trace))));
      add(expected, "keyed", line(digit, each.value, hour(each.value), traced));
      add(
          expected,
          "copied",
          line(null, each.value, time, new TreeMap<>(Map.of("of", each.value, "trace", trace))));
    }
    expected.forEach((topic, lines) ->
        assertEquals(lines.stream().sorted().toList(), lines(job, topic), "topic " + topic));
    checkPartitions(job, "keyed");
    checkPartitions(job, "rekeyed");
    checkCounts(job);
    checkTable(job);
  }

  /// Records of a key are in one partition.
  private static void checkPartitions(TestJob job, String topic) {
    Map<Object, Integer> partitions = new TreeMap<>();
    job.output(topic)
        .records()
        .forEach(record -> {
          Integer before = partitions.put(record.key(), record.partition());
          assertTrue(before == null || before == record.partition(), record.toString());
        });
  }

  private static void checkCounts(TestJob job) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Sent each : SENT) {
      counts.merge(each.key + " " + each.second / WINDOW, 1, Integer::sum);
    }
    List<String> expected = new ArrayList<>();
    counts.forEach((place, count) -> {
      String key = place.substring(0, place.indexOf(' '));
      int window = Integer.parseInt(place.substring(place.indexOf(' ') + 1));
      long millis = START.plusSeconds((window + 1) * WINDOW).toEpochMilli() - 1;
      expected.add(line(key, count, START.plusSeconds(count), Map.of("was", key + count + millis)));
    });
    List<String> found = new ArrayList<>();
    job.output("counts")
        .records()
        .forEach(record -> {
          Map<String, String> headers = new TreeMap<>(record.headers());
          headers.remove("millrace.retraction");
          String line = line(record.key(), record.value(), record.timestamp(), headers);
          if (!record.retraction()) {
            found.add(line);
          } else {
            assertTrue(found.remove(line), "taken back and not there: " + line);
          }
        });
    assertEquals(expected.stream().sorted().toList(), found.stream().sorted().toList());
  }

  private static void checkTable(TestJob job) {
    boolean anyGone = false;
    for (TestRecord<Object, Object> record : job.output("small").records()) {
      boolean gone = record.value() == null;
      anyGone |= gone;
      assertEquals(gone ? "delete" : "put", record.header("does"), record.toString());
      assertTrue(!record.retraction(), record.toString());
    }
    assertTrue(anyGone, "the last value of one key is not small");
  }

  private static void add(Map<String, List<String>> lines, String topic, String line) {
    lines.computeIfAbsent(topic, _ -> new ArrayList<>()).add(line);
  }

  @Test
  void areThoseThatTheSinkSays() {
    Harsh.of(application(SetForOutputsTest::describe), SetForOutputsTest::send)
        .then(SetForOutputsTest::check)
        .check();
  }

  @Test
  void ofDeletionsAsWell() {
    StreamApplication application =
        application(topology -> {
          var in = topology.from(textSource("in").withDeletions());
          var before =
              textSink("before")
                  .headers((record, headers) -> put(headers, "has", record.value()))
                  .timestamp(SetForOutputsTest::hour);
          in.to(before.withDeletions());
          in.to(
              textSink("behind")
                  .withDeletions()
                  .headers((record, headers) -> put(headers, "has", record.value().orElse("none")))
                  .key(value -> value.map(SetForOutputsTest::digit).orElse("none")));
        });
    try (TestJob job = TestJob.of(application).partitions(1)) {
      job.input("in").at(START).send("a", Optional.of("v1")).delete("a");
      assertEquals(
          List.of(
              line("a", Optional.of("v1"), hour("v1"), Map.of("has", "v1")),
              line("a", null, START, Map.of())),
          lines(job, "before"));
      assertEquals(
          List.of(
              line("1", Optional.of("v1"), START, Map.of("has", "v1")),
              line("none", null, START, Map.of("has", "none"))),
          lines(job, "behind"));
    }
  }

  /// A sink that fails for one value.
  private static String refuse(String value) {
    if (value.equals("v2")) {
      throw new IllegalStateException("no " + value);
    }
    return value;
  }

  @Test
  void areBadInputWhereAFunctionFails() {
    Map<String, Sink<? super String, String>> sinks = new TreeMap<>();
    sinks.put(
        "headers", textSink("out").headers((r, headers) -> put(headers, "of", refuse(r.value()))));
    sinks.put("timestamp", textSink("out").timestamp(value -> hour(refuse(value))));
    sinks.put("key", textSink("out").key(value -> refuse(value)));
    sinks.forEach((name, sink) -> {
      StreamApplication application = application(t -> t.from(textSource("in")).to(sink));
      try (TestJob job = TestJob.of(application).partitions(1).onError(OnError.FAIL)) {
        job.input("in").at(START).send("a", "v1").send("a", "v2");
        String failure = job.failure();
        assertTrue(failure.contains("in:0:1") && failure.contains("sink 'out'"), failure);
        assertTrue(failure.contains("no v2"), failure);
      }
      try (TestJob job = TestJob.of(application).partitions(1).onError(OnError.DEAD_LETTER)) {
        job.input("in").at(START).send("a", "v1").send("a", "v2").send("a", "v3");
        job.output("out").hasValues("v1", "v3");
        assertEquals(1, job.deadLetters().size(), name);
        assertEquals("in", job.deadLetters().getFirst().header("millrace.topic"), name);
      }
    });
  }

  @Test
  void timestampsThatATopicDoesNotTakeAreBadInputOrClamped() {
    Instant before = Instant.parse("1969-12-31T00:00:00Z");
    StreamApplication refused =
        application(t -> t.from(textSource("in")).to(textSink("out").timestamp(_ -> before)));
    try (TestJob job = TestJob.of(refused).partitions(1).onError(OnError.FAIL)) {
      job.input("in").at(START).send("a", "v1");
      String failure = job.failure();
      assertTrue(
          failure.contains(
              "The timestamp that is taken from the value is 1969-12-31T00:00:00Z, before 1970"),
          failure);
    }
    StreamApplication clamped =
        application(t ->
            t.from(textSource("in"))
                .to(textSink("out").timestamp(_ -> before).timestamps(Timestamps.CLAMPED)));
    try (TestJob job = TestJob.of(clamped).partitions(1)) {
      job.input("in").at(START).send("a", "v1");
      assertEquals(
          List.of(Instant.EPOCH),
          job.output("out").records().stream().map(TestRecord::timestamp).toList());
    }
  }
}

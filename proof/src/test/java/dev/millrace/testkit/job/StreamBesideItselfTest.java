package dev.millrace.testkit.job;

import static dev.millrace.api.With.asOf;
import static dev.millrace.api.With.stream;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Streams that meet records that were made of them and come back through an exchange, against a
/// plain computation. A record is `boss/name` under the key of somebody.
class StreamBesideItselfTest {
  private static final KafkaKeyedSource<String, String> STAFF = source("staff");
  private static final KafkaKeyedSink<String, String> OUT = sink("out");
  private static final Duration NEAR = Duration.ofSeconds(10);
  private static final Instant START = Instant.parse("2026-01-02T03:00:00Z");

  private static KafkaKeyedSource<String, String> source(String name) {
    return Kafka.source(name).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> sink(String name) {
    return Kafka.sink(name).key(Serdes.string()).value(Serdes.string());
  }

  private static String boss(String value) {
    return value.substring(0, value.indexOf('/'));
  }

  private static KeyedStream<String, String> byBoss(KeyedStream<String, String> staff) {
    return staff.groupBy("by-boss", v -> boss(v)).stream();
  }

  private record Sent(String key, String value, Instant at) {
    String boss() {
      return StreamBesideItselfTest.boss(value);
    }

    boolean isNear(Sent other) {
      return Duration.between(at, other.at).abs().compareTo(NEAR) <= 0;
    }
  }

  private interface Oracle {
    void compute(List<Sent> sent, List<String> out);
  }

  private record Shape(String name, Consumer<Topology> build, Oracle oracle) {}

  private static final List<Shape> SHAPES =
      List.of(
          new Shape(
              "a stream joined with itself by another key",
              t -> {
                var staff = t.from(STAFF);
                staff
                    .join("near", stream(byBoss(staff), Within.of(NEAR)), (v, w) -> v + " " + w)
                    .to(OUT);
              },
              (sent, out) -> {
                for (Sent one : sent) {
                  sent.stream()
                      .filter(two -> two.boss().equals(one.key) && one.isNear(two))
                      .forEach(two -> out.add(one.key + "=" + one.value + " " + two.value));
                }
              }),
          new Shape(
              "a stream in one window with itself by another key",
              t -> {
                var staff = t.from(STAFF);
                var bosses = byBoss(staff);
                bosses
                    .coGroup(staff)
                    .and(staff.mapValues(v -> v + "!"))
                    .apply(
                        "sizes",
                        Windows.tumbling(Duration.ofHours(1)),
                        (_, s) -> "%d %d".formatted(s.of(bosses).size(), s.of(staff).size()))
                    .as(Serdes.string())
                    .results(r -> r.value())
                    .to(OUT);
              },
              (sent, out) -> {
                TreeSet<String> keys = new TreeSet<>();
                sent.forEach(each -> keys.addAll(List.of(each.key, each.boss())));
                for (String key : keys) {
                  long below = sent.stream().filter(each -> each.boss().equals(key)).count();
                  long own = sent.stream().filter(each -> each.key.equals(key)).count();
                  out.add("%s=%d %d".formatted(key, below, own));
                }
              }),
          new Shape(
              "a topic as a stream and as the table that it looks up as of its records' times",
              t ->
                  byBoss(t.from(STAFF))
                      .leftJoin(
                          "then",
                          asOf(t.table("staff", STAFF), Duration.ZERO),
                          (v, b) -> v + " " + b)
                      .to(OUT),
              (sent, out) -> {
                for (Sent one : sent) {
                  String last = null;
                  for (Sent two : sent) {
                    boolean before = !two.at.isAfter(one.at);
                    last = before && two.key.equals(one.boss()) ? two.value : last;
                  }
                  out.add(one.boss() + "=" + one.value + " " + last);
                }
              }),
          new Shape(
              "a topic as a stream and as a table beside what the stream comes to",
              t ->
                  t.table("staff", STAFF)
                      .outerJoin(
                          "both",
                          byBoss(t.from(STAFF)).groupByKey().count("below"),
                          (v, n) -> v + " " + n)
                      .to(OUT),
              (sent, out) -> {
                TreeSet<String> keys = new TreeSet<>();
                sent.forEach(each -> keys.addAll(List.of(each.key, each.boss())));
                for (String key : keys) {
                  String last = null;
                  for (Sent each : sent) {
                    last = each.key.equals(key) ? each.value : last;
                  }
                  long below = sent.stream().filter(each -> each.boss().equals(key)).count();
                  out.add(key + "=" + last + " " + (below == 0 ? null : below));
                }
              }),
          new Shape(
              "a merge with what comes back, the other side through an exchange as well",
              t -> {
                var staff = t.from(STAFF);
                staff.repartition("as-it-is").merge(byBoss(staff)).to(OUT);
              },
              (sent, out) ->
                  sent.forEach(each -> {
                    out.add(each.key + "=" + each.value);
                    out.add(each.boss() + "=" + each.value);
                  })),
          new Shape(
              "a merge without keys, the other side through an exchange as well",
              t -> {
                var staff = t.from(STAFF).map(v -> v);
                var before = staff.groupBy("as-it-is", v -> v).stream().map(v -> v);
                before
                    .merge(staff.groupBy("by-boss", v -> boss(v)).stream().map(v -> v + "!"))
                    .groupBy("all", v -> v)
                    .stream()
                    .to(OUT);
              },
              (sent, out) ->
                  sent.forEach(each -> {
                    out.add(each.value + "=" + each.value);
                    out.add(each.value + "!=" + each.value + "!");
                  })));

  private static final List<String> TABLES =
      List.of("a topic as a stream and as a table beside what the stream comes to");

  private record Built(Shape shape) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      shape.build.accept(topology);
    }

    @Override
    public String name() {
      return "self";
    }
  }

  private static void check(Shape shape, long number) {
    Seed seed = new Seed(number);
    List<Sent> sent = new ArrayList<>();
    for (int i = 0, count = seed.between(15, 30); i < count; i++) {
      String value = "k" + seed.below(5) + "/" + i;
      sent.add(new Sent("k" + seed.below(5), value, START.plusSeconds(i)));
    }
    List<String> expected = new ArrayList<>();
    shape.oracle.compute(sent, expected);
    assertFalse(expected.isEmpty());
    expected.sort(null);
    Harsh.of(
            new Built(shape),
            job -> {
              TestInput<String, String> input = job.input(STAFF);
              sent.forEach(each -> input.at(each.at).send(each.key, each.value));
              input.end();
            })
        .then(job -> assertEquals(expected, written(shape, job)))
        .check();
  }

  private static List<String> written(Shape shape, TestJob job) {
    List<String> written = new ArrayList<>();
    if (TABLES.contains(shape.name)) {
      job.output(OUT).latest().forEach((key, value) -> written.add(key + "=" + value));
    } else {
      job.output(OUT).records().forEach(each -> written.add(each.key() + "=" + each.value()));
    }
    written.sort(null);
    return written;
  }

  @TestFactory
  Stream<DynamicTest> resultsAreThoseOfAPlainComputation() {
    return SHAPES.stream()
        .map(shape ->
            DynamicTest.dynamicTest(
                shape.name,
                () -> {
                  check(shape, 1);
                  check(shape, 2);
                }));
  }
}

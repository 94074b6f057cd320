package dev.millrace.testkit.job;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Windowed;
import dev.millrace.api.WindowedTable;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Tables and windows whose values depend on the order of what they are made of, behind windows
/// whose results are corrected: a correction leads to what would have come if nothing had been
/// late.
class BehindCorrectedWindowsTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final int SECONDS = 100;
  private static final int WINDOW = 10;
  private static final int WIDE = 50;

  private static final KafkaKeyedSource<String, String> EVENTS = source("events");

  private static KafkaKeyedSource<String, String> source(String name) {
    return Kafka.source(name).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> sink(String name) {
    return Kafka.sink(name).key(Serdes.string()).value(Serdes.string());
  }

  private record Described(Function<Topology, Table<String, String>> table)
      implements StreamApplication {
    @Override
    public String name() {
      return "tables";
    }

    @Override
    public void describe(Topology topology) {
      table.apply(topology).to(sink("out"));
    }
  }

  private static KeyedStream<String, String> counts(Topology topology) {
    return topology
        .from(EVENTS)
        .groupByKey()
        .window(Windows.tumbling(Duration.ofSeconds(WINDOW)).allowedLateness(Duration.ofMinutes(2)))
        .count("counts")
        .results(r -> r.window().start().getEpochSecond() % SECONDS + "+" + r.value());
  }

  @Test
  void theLatestIsThatOfTheLastWindow() {
    check(topology -> counts(topology).groupByKey().latest("last"), List::getLast);
  }

  @Test
  void aReductionTakesWindowsInTheirOrder() {
    check(
        topology -> counts(topology).groupByKey().reduce("all", (a, b) -> a + " " + b),
        all -> String.join(" ", all));
  }

  @Test
  void soDoesAFold() {
    check(
        topology ->
            counts(topology).groupByKey().aggregate("all", () -> ":", (a, b) -> a + " " + b),
        all -> ": " + String.join(" ", all));
  }

  @Test
  void windowsHandOverWindowsInTheirOrder() {
    checkWindows(windows -> windows.apply("all", (_, all) -> String.join(" ", all)));
  }

  @Test
  void windowsReduceThemInTheirOrder() {
    checkWindows(windows -> windows.reduce("all", (a, b) -> a + " " + b));
  }

  @Test
  void windowsFoldThemInTheirOrder() {
    checkWindows(
        windows -> windows.aggregate("all", () -> "", (a, b) -> a.isEmpty() ? b : a + " " + b));
  }

  private static void checkWindows(
      Function<Windowed<String, String>, WindowedTable<String, String>> computed) {
    checkWindows(Windows.tumbling(Duration.ofSeconds(WIDE)), 1, computed);
    checkWindows(Windows.sizedBy(_ -> Duration.ofSeconds(WIDE)), 2, computed);
  }

  private static void checkWindows(
      Windows windows,
      long seed,
      Function<Windowed<String, String>, WindowedTable<String, String>> computed) {
    check(
        seed,
        topology ->
            computed
                .apply(counts(topology).groupByKey().window(windows))
                .results(r ->
                    r.key() + "@" + r.window().start().getEpochSecond() % SECONDS + " " + r.value())
                .groupBy("by-window", result -> result.substring(0, result.indexOf(' ')))
                .latest("last"),
        WIDE,
        (key, all) -> key + " " + String.join(" ", all));
  }

  private static void check(
      Function<Topology, Table<String, String>> table, Function<List<String>, String> kind) {
    check(1, table, SECONDS, (_, all) -> kind.apply(all));
  }

  /// @param span of how many seconds results become one
  /// @param kind makes it of a key, with the window if there are several, and the results in order
  private static void check(
      long seed,
      Function<Topology, Table<String, String>> table,
      int span,
      BiFunction<String, List<String>, String> kind) {
    Random random = new Random(seed);
    TreeMap<String, TreeMap<Integer, Long>> windows = new TreeMap<>();
    List<Map.Entry<String, Integer>> sent = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      String key = "k" + random.nextInt(2);
      int second = random.nextInt(SECONDS);
      sent.add(Map.entry(key, second));
      windows
          .computeIfAbsent(key, _ -> new TreeMap<>())
          .merge(second / WINDOW * WINDOW, 1L, Long::sum);
    }
    Map<String, List<String>> shown = new TreeMap<>();
    windows.forEach((key, counts) ->
        counts.forEach((start, count) ->
            shown
                .computeIfAbsent(
                    span == SECONDS ? key : key + "@" + shown(start / span * span),
                    _ -> new ArrayList<>())
                .add(shown(start) + "+" + count)));
    Map<Object, Object> expected = new TreeMap<>();
    shown.forEach((key, all) -> expected.put(key, kind.apply(key, all)));
    Harsh.of(
            new Described(table),
            job -> {
              TestInput<Object, Object> events = job.input("events");
              sent.forEach(
                  each -> events.at(NOON.plusSeconds(each.getValue())).send(each.getKey(), "x"));
              events.end();
            })
        .onlyLatest()
        .then(job -> job.output("out").hasLatest(expected))
        .check();
  }

  private static long shown(int start) {
    return NOON.plusSeconds(start).getEpochSecond() % SECONDS;
  }

  /// Numbers in an array, which is equal to none but itself.
  private record Numbers() implements Serde<long[]> {
    @Override
    public String id() {
      return "numbers";
    }

    @Override
    public void write(long[] value, BytesWriter out) {
      for (long number : value) {
        out.writeLong(number);
      }
    }

    @Override
    public long[] read(Bytes in) {
      long[] numbers = new long[in.length() / Long.BYTES];
      for (int i = 0; i < in.length(); i++) {
        numbers[i / Long.BYTES] = numbers[i / Long.BYTES] << 8 | in.get(i) & 0xFF;
      }
      return numbers;
    }
  }

  @Test
  void valuesWithoutEqualsAreJoinedAtTicks() {
    StreamApplication application =
        new Described(topology -> {
          topology.consistentEvery(Duration.ofSeconds(1));
          var events = topology.from(EVENTS).groupByKey();
          Table<String, long[]> sums =
              events
                  .aggregate(
                      "sums",
                      () -> new long[1],
                      (sum, _) -> {
                        sum[0]++;
                        return sum;
                      })
                  .as(new Numbers());
          return sums.join(
                  "joined",
                  events.count("counts"),
                  (sum, count) -> Arrays.toString(sum) + " " + count)
              .as(Serdes.string());
        });
    Harsh.of(
            application,
            job -> {
              TestInput<Object, Object> events = job.input("events");
              for (int i = 0; i < 24; i++) {
                events.at(NOON.plusMillis(300 * i)).send("k" + i % 2, "x");
              }
              events.end();
            })
        .then(job -> job.output("out").hasLatest(Map.of("k0", "[12] 12", "k1", "[12] 12")))
        .check();
  }
}

package dev.millrace.testkit.job;

import static dev.millrace.api.With.asOf;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Each record of a stream finds what the table had at its time, by a look at all records there
/// are: in whatever order they come, however they are read, and whatever happens to the job.
class AsOfJoinsTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration LATENESS = Duration.ofHours(1);
  private static final int SECONDS = 100;
  private static final int WINDOW = 10;

  private static final KafkaKeyedSource<String, String> ORDERS = source("orders");
  private static final KafkaKeyedSource<String, String> PRICES = source("prices");

  private static KafkaKeyedSource<String, String> narrow(int partitions) {
    return Kafka.source("prices")
        .partitions(partitions)
        .key(Serdes.string())
        .value(Serdes.string());
  }

  private static KafkaKeyedSource<String, String> source(String name) {
    return Kafka.source(name).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> sink(String name) {
    return Kafka.sink(name).key(Serdes.string()).value(Serdes.string());
  }

  /// A record at a second.
  ///
  /// @param value null for a key that is deleted
  private record Sent(String key, @Nullable String value, int second) {}

  /// Joins orders with what they find.
  private record Priced(Function<Topology, Table<String, String>> prices)
      implements StreamApplication {
    @Override
    public String name() {
      return "priced";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(ORDERS)
          .leftJoin(
              "priced",
              asOf(prices.apply(topology), LATENESS),
              (order, price) -> order + " for " + price)
          .as(Serdes.string())
          .to(sink("out").withRetractions());
    }
  }

  @Test
  void aTopicIsAVersionWithEachRecord() {
    check(topology -> topology.table("prices", PRICES), sent -> sent.value);
  }

  @Test
  void whatDoesNotPassAFilterHidesWhatWasBefore() {
    check(
        topology ->
            topology
                .table("prices", PRICES)
                .filter(price -> Integer.parseInt(price) % 3 > 0)
                .mapValues(price -> price + " francs")
                .as(Serdes.string()),
        sent -> francs(sent.value));
  }

  @Test
  void theLatestOfAStreamIsAVersionWithEachRecord() {
    check(
        topology ->
            topology
                .from(PRICES)
                .groupByKey()
                .latest("prices")
                .filter(price -> Integer.parseInt(price) % 3 > 0)
                .mapValues(price -> price + " francs")
                .as(Serdes.string()),
        false,
        sent -> francs(sent.value));
  }

  @Test
  void aTableWithFewerPartitionsIsBroughtToTheStream() {
    check(
        topology ->
            topology
                .table("prices", narrow(1))
                .filter(price -> Integer.parseInt(price) % 3 > 0)
                .mapValues(price -> price + " francs")
                .as(Serdes.string()),
        sent -> francs(sent.value));
  }

  @Test
  void soIsTheLatestOfAStreamBehindAnExchange() {
    check(
        topology -> topology.from(narrow(2)).groupByKey().latest("prices").conflated(),
        false,
        sent -> sent.value);
  }

  private static @Nullable String francs(@Nullable String price) {
    return price == null || Integer.parseInt(price) % 3 == 0 ? null : price + " francs";
  }

  @Test
  void theLatestOfCorrectedWindowsIsAVersionWithEachWindow() {
    StreamApplication application =
        new Priced(topology ->
            topology
                .from(PRICES)
                .groupByKey()
                .window(Windows.tumbling(Duration.ofSeconds(WINDOW)).allowedLateness(LATENESS))
                .count("prices-of-a-window")
                .results(r -> r.window().start().getEpochSecond() % SECONDS + "+" + r.value())
                .groupByKey()
                .latest("prices"));
    for (long seed = 1; seed <= 2; seed++) {
      List<Sent> prices = prices(new Random(seed), false);
      TreeMap<String, TreeMap<Integer, String>> versions = new TreeMap<>();
      for (Sent each : prices) {
        int start = each.second / WINDOW * WINDOW;
        long count =
            prices.stream()
                .filter(
                    other -> other.key.equals(each.key) && other.second / WINDOW * WINDOW == start)
                .count();
        long shown = NOON.plusSeconds(start).getEpochSecond() % SECONDS;
        // It holds from the last millisecond of its window on; orders come at whole seconds.
        versions
            .computeIfAbsent(each.key, _ -> new TreeMap<>())
            .put(start + WINDOW, shown + "+" + count);
      }
      check(application, seed, prices, versions);
    }
  }

  private static void check(
      Function<Topology, Table<String, String>> table, Function<Sent, @Nullable String> version) {
    check(table, true, version);
  }

  private static void check(
      Function<Topology, Table<String, String>> table,
      boolean deletes,
      Function<Sent, @Nullable String> version) {
    for (long seed = 1; seed <= 2; seed++) {
      List<Sent> prices = prices(new Random(seed), deletes);
      TreeMap<String, TreeMap<Integer, @Nullable String>> versions = new TreeMap<>();
      for (Sent each : prices) {
        versions
            .computeIfAbsent(each.key, _ -> new TreeMap<>())
            .put(each.second, version.apply(each));
      }
      check(new Priced(table), seed, prices, versions);
    }
  }

  private static void check(
      StreamApplication application,
      long seed,
      List<Sent> prices,
      TreeMap<String, ? extends TreeMap<Integer, ? extends @Nullable String>> versions) {
    List<Sent> orders = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    Random random = new Random(-seed);
    for (int i = 0; i < 15; i++) {
      Sent order = new Sent("k" + random.nextInt(2), "o" + i, random.nextInt(SECONDS));
      orders.add(order);
      var version =
          versions.containsKey(order.key) ? versions.get(order.key).floorEntry(order.second) : null;
      expected.add(order.value + " for " + (version == null ? null : version.getValue()));
    }
    Harsh.of(
            application,
            job -> {
              send(job.input("prices"), prices);
              send(job.input("orders"), orders);
            })
        .then(job -> job.output("out").hasValues(expected.toArray()))
        .check();
  }

  private static void send(TestInput<Object, Object> input, List<Sent> all) {
    for (Sent each : all) {
      input.at(NOON.plusSeconds(each.second));
      if (each.value == null) {
        input.delete(each.key);
      } else {
        input.send(each.key, each.value);
      }
    }
    input.end();
  }

  /// Prices that come in any order; of each key one at a time.
  private static List<Sent> prices(Random random, boolean deletes) {
    List<Sent> sent = new ArrayList<>();
    for (String key : List.of("k0", "k1")) {
      List<Integer> seconds = new ArrayList<>(IntStream.range(0, SECONDS).boxed().toList());
      Collections.shuffle(seconds, random);
      for (int second : seconds.subList(0, 8)) {
        boolean gone = deletes && random.nextInt(4) == 0;
        sent.add(new Sent(key, gone ? null : "" + random.nextInt(100), second));
      }
    }
    Collections.shuffle(sent, random);
    return sent;
  }
}

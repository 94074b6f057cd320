package dev.millrace.testkit.sim;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.engine.chain.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One simulated run of a job that writes to sinks outside the log, which fail now and then, and
/// what must arrive there.
final class ShopJob {
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 150;

  record Purchase(String customer, long cents) {}

  record Total(String customer, long cents) {}

  /// Every purchase to one sink, every customer's running total to another.
  record Shop(ModelSink<Purchase> purchases, ModelSink<Total> totals) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var all =
          topology.from(
              Kafka.topic("purchases")
                  .key(Serdes.string())
                  .value(Serdes.record(Purchase.class))
                  .asBounded());
      all.to(purchases);
      all.groupByKey()
          .aggregate(
              "sums",
              () -> new Total("", 0),
              (total, purchase) -> new Total(purchase.customer(), total.cents() + purchase.cents()))
          .updates()
          .to(totals);
    }

    @Override
    public String name() {
      return "shop";
    }
  }

  private final Shop shop;
  private final Simulation simulation;
  private final List<Purchase> written;

  private ShopJob(Shop shop, Simulation simulation, List<Purchase> written) {
    this.shop = shop;
    this.simulation = simulation;
    this.written = written;
  }

  /// Settings of a shape drawn from the seed.
  static SimulationSettings drawn(long seed) {
    Seed choices = new Seed(seed).fork("shape");
    return SimulationSettings.of("purchases")
        .withShape(choices.between(1, 2), choices.between(1, 2), choices.coin());
  }

  /// Runs the job to its end.
  ///
  /// @param failures how often a sink fails
  /// @param faults whether the log has faults too
  static ShopJob run(
      long seed,
      SimulationSettings settings,
      CrashSchedule schedule,
      double failures,
      boolean faults) {
    Seed luck = new Seed(seed).fork("sinks");
    Shop shop =
        new Shop(
            new ModelSink<>("all", Serdes.record(Purchase.class), luck, failures),
            new ModelSink<>("totals", Serdes.record(Total.class), luck, failures));
    Simulation simulation = new Simulation(seed, shop, settings);
    simulation.log().createTopic("purchases", PARTITIONS);
    List<Purchase> written = write(simulation, seed);
    simulation.plan();
    Chaos.run(simulation, seed, schedule, faults);
    return new ShopJob(shop, simulation, written);
  }

  Simulation simulation() {
    return simulation;
  }

  /// How often a sink failed.
  long failed() {
    return shop.totals.failed() + shop.purchases.failed();
  }

  /// How often a sink got what it had.
  long repeated() {
    return shop.totals.repeated() + shop.purchases.repeated();
  }

  /// Looks at all that arrived.
  ///
  /// @throws AssertionError if it is not what a plain computation says
  void requireExact() {
    Scenario.requireEqual("sink 'all'", sorted(written), sorted(shop.purchases.all()));
    Scenario.requireEqual("sink 'totals'", expectedTotals(written), totals(shop.totals.all()));
  }

  private static List<Purchase> write(Simulation simulation, long seed) {
    Seed random = new Seed(seed).fork("purchases");
    List<Purchase> purchases = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      Purchase purchase = new Purchase("c" + random.below(9), 1 + random.below(1_000));
      purchases.add(purchase);
      byte[] key = purchase.customer().getBytes(StandardCharsets.UTF_8);
      BytesWriter out = new BytesWriter();
      Serdes.record(Purchase.class).write(purchase, out);
      Split split = new Split("purchases", Partitioner.partition(Bytes.of(key), PARTITIONS));
      simulation.log().append(split, i, key, out.toByteArray(), new byte[0]);
    }
    return purchases;
  }

  private static List<Purchase> sorted(List<Purchase> purchases) {
    return purchases.stream()
        .sorted(Comparator.comparing(Purchase::customer).thenComparingLong(Purchase::cents))
        .toList();
  }

  private static Map<String, List<Long>> expectedTotals(List<Purchase> purchases) {
    Map<String, Long> running = new HashMap<>();
    Map<String, List<Long>> expected = new TreeMap<>();
    for (Purchase purchase : purchases) {
      long total = running.getOrDefault(purchase.customer(), 0L) + purchase.cents();
      running.put(purchase.customer(), total);
      expected.computeIfAbsent(purchase.customer(), _ -> new ArrayList<>()).add(total);
    }
    return expected;
  }

  private static Map<String, List<Long>> totals(List<Total> totals) {
    Map<String, List<Long>> found = new TreeMap<>();
    for (Total total : totals) {
      found.computeIfAbsent(total.customer(), _ -> new ArrayList<>()).add(total.cents());
    }
    return found;
  }
}

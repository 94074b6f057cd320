package dev.millrace.testkit.sim;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A job that writes to sinks outside the log, which fail now and then.
final class ShopJob implements DrawnJob {
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 150;

  record Purchase(String customer, long cents) {}

  record Total(String customer, long cents) {}

  /// Every purchase to one sink, every customer's running total to another.
  record Shop(String prefix, ModelSink<Purchase> purchases, ModelSink<Total> totals)
      implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var all =
          topology.from(
              Kafka.source(prefix + "purchases")
                  .key(Serdes.string())
                  .value(Serdes.record(Purchase.class))
                  .asBounded());
      all.to(purchases);
      all.groupByKey()
          .aggregate(
              "sums",
              () -> new Total("", 0),
              (total, purchase) -> new Total(purchase.customer(), total.cents() + purchase.cents()))
          .toStream()
          .to(totals);
    }

    @Override
    public String name() {
      return prefix + "shop";
    }
  }

  private static final double FAILURES = 0.05;

  private final Shop shop;
  private final SimulationSettings settings;
  private final List<Purchase> purchases;

  /// @param prefix of the names of the application and its topics
  /// @param failures how often a sink fails
  ShopJob(long seed, String prefix, SimulationSettings settings, double failures) {
    this.settings = settings;
    Seed luck = new Seed(seed).fork("sinks");
    shop =
        new Shop(
            prefix,
            new ModelSink<>("all", Serdes.record(Purchase.class), luck, failures),
            new ModelSink<>("totals", Serdes.record(Total.class), luck, failures));
    purchases = purchases(seed);
  }

  /// A job of a shape drawn from the seed.
  static ShopJob drawn(long seed, String prefix) {
    return new ShopJob(
        seed, prefix, SimulationSettings.drawn(seed, prefix + "purchases"), FAILURES);
  }

  @Override
  public StreamApplication application() {
    return shop;
  }

  @Override
  public SimulationSettings settings() {
    return settings;
  }

  @Override
  public Map<String, Integer> topics() {
    return new TreeMap<>(Map.of(shop.prefix + "purchases", PARTITIONS));
  }

  /// How often a sink failed.
  long failed() {
    return shop.totals.failed() + shop.purchases.failed();
  }

  /// How often a sink got what it had.
  long repeated() {
    return shop.totals.repeated() + shop.purchases.repeated();
  }

  @Override
  public void requireExact(Written written) {
    Scenario.requireEqual("sink 'all'", sorted(purchases), sorted(shop.purchases.all()));
    Scenario.requireEqual("sink 'totals'", expectedTotals(purchases), totals(shop.totals.all()));
  }

  private static List<Purchase> purchases(long seed) {
    Seed random = new Seed(seed).fork("purchases");
    List<Purchase> purchases = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      purchases.add(new Purchase("c" + random.below(9), 1 + random.below(1_000)));
    }
    return purchases;
  }

  @Override
  public List<InputRecord> input() {
    BytesWriter out = new BytesWriter();
    List<InputRecord> input = new ArrayList<>();
    for (Purchase purchase : purchases) {
      Bytes key = Bytes.ofUtf8(purchase.customer());
      Serdes.record(Purchase.class).write(purchase, out.clear());
      Split split = new Split(shop.prefix + "purchases", Partitioner.partition(key, PARTITIONS));
      input.add(new InputRecord(split, input.size(), key, Bytes.of(out.toByteArray())));
    }
    return input;
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

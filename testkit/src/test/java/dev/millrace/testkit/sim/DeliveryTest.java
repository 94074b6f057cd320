package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.Test;

/// What goes to sinks outside the log arrives exactly once, whoever crashes: the job, before and
/// after it delivered, the log, or the sink itself.
class DeliveryTest {
  private static final int SEEDS = 150;
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 150;

  record Purchase(String customer, long cents) {}

  record Total(String customer, long cents) {}

  /// Every purchase to one sink, every customer's running total to another.
  private record Shop(ModelSink<Purchase> purchases, ModelSink<Total> totals)
      implements StreamApplication {
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

  @Test
  void withoutFaultsNothingComesTwice() {
    Shop shop = run(1, SimulationSettings.of("purchases"), 0, 0, false);
    assertEquals(0, shop.purchases.repeated());
    assertEquals(0, shop.totals.repeated());
  }

  @Test
  void crashesAndFailuresOfTheSinkChangeNothing() {
    long failed = 0;
    long repeated = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Seed choices = new Seed(seed).fork("shape");
      SimulationSettings settings =
          SimulationSettings.of("purchases")
              .withShape(choices.between(1, 2), choices.between(1, 2), choices.coin());
      try {
        Shop shop = run(seed, settings, 0.003, 0.05, choices.coin());
        failed += shop.totals.failed() + shop.purchases.failed();
        repeated += shop.totals.repeated() + shop.purchases.repeated();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + " " + settings + ": " + e.getMessage(), e);
      }
    }
    System.out.println("crash schedules: " + SEEDS + " with deliveries that fail");
    assertTrue(failed > 0 && repeated > 0, failed + " failures, " + repeated + " repetitions");
  }

  private static Shop run(
      long seed, SimulationSettings settings, double crashes, double failures, boolean faults) {
    Seed luck = new Seed(seed).fork("sinks");
    Shop shop =
        new Shop(
            new ModelSink<>("all", Serdes.record(Purchase.class), luck, failures),
            new ModelSink<>("totals", Serdes.record(Total.class), luck, failures));
    Simulation simulation = new Simulation(seed, shop, settings);
    simulation.log().createTopic("purchases", PARTITIONS);
    List<Purchase> written = write(simulation, seed);
    simulation.plan();
    CrashSchedule schedule = CrashSchedule.drawn(new Seed(seed), settings.containers(), crashes);
    Chaos.run(simulation, seed, schedule, faults);
    assertEquals(sorted(written), sorted(shop.purchases.all()));
    assertEquals(expectedTotals(written), totals(shop.totals.all()));
    return shop;
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
      expected
          .computeIfAbsent(purchase.customer(), _ -> new ArrayList<>())
          .add(running.merge(purchase.customer(), purchase.cents(), Long::sum));
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

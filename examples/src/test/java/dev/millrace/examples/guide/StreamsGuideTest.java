package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.guide.StreamsGuide.Best;
import dev.millrace.examples.guide.StreamsGuide.Order;
import dev.millrace.examples.guide.StreamsGuide.Shown;
import dev.millrace.testkit.job.TestJob;
import dev.millrace.testkit.job.TestRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What the guide to streams shows does what the guide says.
class StreamsGuideTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static Order order(String id, String shop, String country, long cents, int seconds) {
    return new Order(id, shop, country, cents, NOON.plusSeconds(seconds));
  }

  @Test
  void ordersGoTheirWays() {
    Order usual = order("1", "mill", "CH", 500, 0);
    Order large = order("2", "mill", "FR", 200_000, 2);
    Order foreign = order("3", "race", "FR", 700, 3);
    Order again = order("1", "mill", "CH", 500, 601);
    try (TestJob job = TestJob.of(new StreamsGuide()).partitions(1)) {
      job.input("customers").end();
      job.input("orders")
          .send("ann", usual)
          .send("ann", order("1", "mill", "CH", 500, 1))
          .send("ann", large)
          .send("bob", foreign)
          .send("ann", again)
          .end();
      job.output("orders-once").hasValues(usual, large, foreign, again);
      job.output("large").hasValues(large);
      job.output("orders-ch").hasValues(usual, again);
      job.output("orders-fr").hasValues(large, foreign);
      job.output("foreign").hasValues(foreign);
      job.output("usual").hasValues(usual, again);
      job.output("best")
          .hasValues(new Best(NOON, 1, "mill", 201_000), new Best(NOON, 2, "race", 700));
      job.output("orders-by-shop")
          .hasValuesOf("mill", usual, large, again)
          .hasValuesOf("race", foreign);
      job.output("best-of-country")
          .hasValuesOf("CH", new Best(NOON, 1, "mill", 1_000))
          .hasValuesOf("FR", new Best(NOON, 1, "mill", 200_000), new Best(NOON, 2, "race", 700));
    }
  }

  @Test
  void eachShopHasATopic() {
    Order one = order("1", "mill", "CH", 500, 0);
    Order other = order("2", "race", "FR", 700, 1);
    try (TestJob job = TestJob.of(new StreamsGuide())) {
      job.input("customers").end();
      job.input("orders").send("ann", one).send("bob", other).end();
      job.output("orders-of-mill").hasValues(one);
      job.output("orders-of-race").hasValues(other);
    }
  }

  @Test
  void whatIsSentIsCountedWhicheverWayItGoes() {
    try (TestJob job = TestJob.of(new StreamsGuide())) {
      job.input("sent-by-sea").send("ann", "wheel");
      job.input("sent-by-air").send("ann", "letter").send("bob", "book");
      job.output("sent-to").hasLatest("ann", 2L).hasLatest("bob", 1L);
      assertEquals(
          List.of("sent-by-air book", "sent-by-air letter", "sent-by-sea wheel"),
          job.output("sent").values().stream().map(String::valueOf).sorted().toList());
    }
  }

  @Test
  void addressesThatAreDeletedAreForgotten() {
    try (TestJob job = TestJob.of(new StreamsGuide()).partitions(1)) {
      job.input("addresses")
          .send("ann", Optional.of("Mill Lane 1"))
          .send("bob", Optional.of("Race Road 2"))
          .send("bob", Optional.of(" "))
          .delete("ann")
          .send("ann", Optional.of("Mill Lane 3"));
      job.output("known").hasLatest(Map.of("ann", Optional.of("Mill Lane 3"))).hasNo("bob");
      job.output("requests").hasValuesOf("ann", "forget");
    }
  }

  @Test
  void recordsTellWhatIsKnownOfThemAndAreWrittenAsTheSinkSays() {
    Order real = order("1", "mill", "CH", 500, 0);
    Order test = order("2", "race", "FR", 700, 1);
    try (TestJob job = TestJob.of(new StreamsGuide()).partitions(1)) {
      job.input("customers").send("ann", "Ann");
      job.input("orders")
          .send("ann", real)
          .header("test", "yes")
          .header("trace", "t2")
          .send("ann", test);
      job.output("real").hasValuesOf("ann", real);
      job.output("shown")
          .hasValuesOf(
              "ann",
              new Shown("Ann", "1", NOON.toEpochMilli()),
              new Shown("Ann", "2", NOON.toEpochMilli() + 1_000));
      var written = job.output("orders-by-country").records();
      assertEquals(
          List.of(
              "CH " + NOON + " {shop=mill}",
              "FR " + NOON.plusSeconds(1) + " {shop=race, trace=t2}"),
          written.stream()
              .map(record -> record.key() + " " + record.timestamp() + " " + record.headers())
              .toList());
    }
  }

  @Test
  void aSampleHasWholeShops() {
    try (TestJob job = TestJob.of(new StreamsGuide()).partitions(1)) {
      job.input("customers").end();
      var orders = job.input("orders");
      for (int i = 0; i < 300; i++) {
        orders.send("ann", order("id" + i, "shop" + i % 100, "CH", 1, i));
      }
      orders.end();
      var byShop =
          job.output("some-shops").records().stream()
              .map(TestRecord::value)
              .collect(
                  Collectors.groupingBy(value -> ((Order) value).shop(), Collectors.counting()));
      assertTrue(byShop.size() > 2 && byShop.size() < 25, byShop.toString());
      assertEquals(Set.of(3L), Set.copyOf(byShop.values()));
      var rest =
          job.output("other-shops").values().stream()
              .collect(
                  Collectors.groupingBy(value -> ((Order) value).shop(), Collectors.counting()));
      assertEquals(100, byShop.size() + rest.size());
      assertTrue(rest.keySet().stream().noneMatch(byShop::containsKey), rest.toString());
    }
  }
}

package dev.millrace.internal.engine.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.engine.topology.TrendingTags;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanTextTest {

  /// Something of everything.
  static final class Orders implements StreamApplication {
    private static final StoreSpec<String, Long> SEEN =
        StoreSpec.keyValue("seen", Serdes.string(), Serdes.longs());

    static final class FirstOnly implements Processor<String, Long, Long> {
      @Override
      public void open(ProcessorContext<String> context) {
        context.store(SEEN);
      }

      @Override
      public void process(Records<String, Long> records, Output<Long> out) {
        while (records.next()) {
          out.emit(records.value());
        }
      }
    }

    @Override
    public void describe(Topology topology) {
      var web =
          topology.from(
              Kafka.source("web-orders").key(Serdes.string()).value(Serdes.longs()).asBounded());
      var shop =
          topology.from(Kafka.source("shop-orders").key(Serdes.string()).value(Serdes.longs()));
      var prices = topology.from(Kafka.source("prices").value(Serdes.longs()));

      var first = web.merge(shop.filter(v -> v > 0)).process("first-only", FirstOnly::new, SEEN);
      first.groupByKey().reduce("largest", Math::max).to(sink("largest-orders"));
      first.to(sink("orders"));
      first
          .map(v -> v)
          .merge(prices.peek(v -> {}))
          .groupBy("by-size", v -> v % 10)
          .aggregate("totals", () -> 0L, (sum, v) -> sum + v)
          .toStream()
          .records()
          .map(r -> r.value())
          .to(Kafka.sink("totals").value(Serdes.longs()));
    }

    private static KafkaKeyedSink<String, Long> sink(String topic) {
      return Kafka.sink(topic).key(Serdes.string()).value(Serdes.longs());
    }
  }

  @Test
  void deletionsAreShownWhereTheyAreReadAndWritten() {
    var users = Kafka.source("users").key(Serdes.string()).value(Serdes.string()).withDeletions();
    var copy = Kafka.sink("copy").key(Serdes.string()).value(Serdes.string()).withDeletions();
    String text =
        PlanText.text(
            Planner.plan(
                "copies",
                TopologyGraph.of(topology -> topology.from(users).to(copy)),
                Map.of("users", 2, "copy", 2)));
    assertTrue(
        text.contains("read users, 2 partitions, key string, value string, with deletions"), text);
    assertTrue(text.contains("write copy with deletions"), text);
  }

  /// A table that refers to itself.
  private static final Plan STAFF =
      Planner.plan(
          "staff",
          TopologyGraph.of(topology -> {
            var staff =
                topology.table(
                    "employees",
                    Kafka.source("employees").key(Serdes.string()).value(Serdes.string()));
            staff
                .leftJoin("manager", staff, v -> v.split("/")[0], (v, boss) -> v + boss)
                .as(Serdes.string())
                .to(Kafka.sink("managed").key(Serdes.string()).value(Serdes.string()));
          }),
          Map.of("employees", 3));

  private static final Plan TAGS =
      Planner.plan(
          "trending-tags", TopologyGraph.of(new TrendingTags()), Map.of("profile-updates", 4));
  private static final Plan ORDERS =
      Planner.plan(
          "orders",
          TopologyGraph.of(new Orders()),
          Map.of("web-orders", 2, "shop-orders", 2, "prices", 1),
          Map.of("by-size", 1));

  @Test
  void aPlanIsATreeToRead() throws IOException {
    assertEquals(golden("trending-tags.txt"), PlanText.text(TAGS));
    assertEquals(golden("orders.txt"), PlanText.text(ORDERS));
    assertEquals(golden("employees.txt"), PlanText.text(STAFF).replaceFirst(", version .*", ""));
  }

  @Test
  void aPlanIsAChartToLookAt() throws IOException {
    assertEquals(golden("trending-tags.mmd"), PlanText.mermaid(TAGS));
    assertEquals(golden("orders.mmd"), PlanText.mermaid(ORDERS));
    assertEquals(golden("employees.mmd"), PlanText.mermaid(STAFF));
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = PlanTextTest.class.getResourceAsStream(name)) {
      assertNotNull(in, name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

package dev.millrace.internal.engine.plan;

import static dev.millrace.api.With.asOf;
import static dev.millrace.api.With.stream;
import static dev.millrace.api.With.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KafkaSink;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What happens to stages that would feed themselves.
class CircleTest {
  private static final KafkaKeyedSource<String, String> STAFF = keyedSource("staff");
  private static final KafkaKeyedSource<String, String> PARTS = keyedSource("parts");
  private static final KafkaSink<String> OUT = Kafka.sink("out").value(Serdes.string());
  private static final KafkaKeyedSink<String, String> RESULTS = keyedSink("results");
  private static final Map<String, Integer> TOPICS = Map.of("staff", 2, "parts", 3);
  private static final Within NEAR = Within.of(Duration.ofSeconds(1));

  private static KafkaKeyedSource<String, String> keyedSource(String name) {
    return Kafka.source(name).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> keyedSink(String name) {
    return Kafka.sink(name).key(Serdes.string()).value(Serdes.string());
  }

  private static Plan plan(StreamApplication application) {
    return Planner.plan("app", TopologyGraph.of(application), TOPICS);
  }

  private static String exchange(Plan.Exchange exchange) {
    return "%s %d>%d %d%s"
        .formatted(
            exchange.node().name(),
            exchange.fromStage(),
            exchange.toStage(),
            exchange.partitions(),
            exchange.node().reason().isEmpty() ? "" : " " + exchange.node().reason());
  }

  private static void assertExchanges(List<String> expected, StreamApplication application) {
    assertEquals(
        expected, plan(application).exchanges().stream().map(CircleTest::exchange).toList());
  }

  private static String back(String exchange) {
    return " because exchange '%s' would otherwise lead back to tasks that feed it"
        .formatted(exchange);
  }

  private static void assertRefused(String message, StreamApplication application) {
    assertEquals(
        message,
        assertThrows(InvalidTopologyException.class, () -> plan(application)).getMessage());
  }

  @Test
  void whatATableRefersToInItselfGoesThroughAnExchange() {
    assertExchanges(
        List.of("boss 0>1 2", "boss-right 0>1 2" + back("boss"), "boss-back 1>2 2"),
        t -> {
          Table<String, String> staff = t.table("staff", STAFF);
          staff.join("boss", staff, v -> v, (v, w) -> v + w).to(RESULTS);
        });
  }

  @Test
  void soItDoesWhenATopicIsReadAsTwoTables() {
    assertExchanges(
        List.of("boss 0>1 2", "boss-right 0>1 2" + back("boss"), "boss-back 1>2 2"),
        t ->
            t.table("staff", STAFF)
                .leftJoin("boss", t.table("bosses", STAFF), v -> v, (v, w) -> v + w)
                .to(RESULTS));
  }

  @Test
  void oneExchangeIsEnoughForTablesThatReferToEachOther() {
    assertExchanges(
        List.of(
            "theirs 0>1 2",
            "ours 1>2 3",
            "ours-right 0>2 3" + back("ours"),
            "ours-back 2>3 3",
            "theirs-back 1>4 2"),
        t -> {
          Table<String, String> staff = t.table("staff", STAFF);
          Table<String, String> parts = t.table("parts", PARTS);
          staff.leftJoin("ours", parts, v -> v, (v, w) -> v + w).to(RESULTS);
          parts.join("theirs", staff, v -> v, (v, w) -> v + w).to(RESULTS);
        });
  }

  @Test
  void aTableBesideAnAggregateOfItselfIsMoved() {
    assertExchanges(
        List.of("by-boss 0>1 2", "with-left 0>1 2" + back("by-boss")),
        t -> {
          Table<String, String> staff = t.table("staff", STAFF);
          staff
              .leftJoin("with", staff.groupBy("by-boss", v -> v).count("below"), (v, n) -> v + n)
              .to(RESULTS);
        });
  }

  @Test
  void soIsAStreamBesideItselfByAnotherKey() {
    assertExchanges(
        List.of("by-boss 0>1 2", "near-left 0>1 2" + back("by-boss")),
        t -> {
          var staff = t.from(STAFF);
          staff
              .join("near", stream(staff.groupBy("by-boss", v -> v).stream(), NEAR), (v, w) -> v)
              .to(OUT);
        });
    assertExchanges(
        List.of(
            "by-boss 0>1 2", "near-2 0>1 2" + back("by-boss"), "near-3 0>1 2" + back("by-boss")),
        t -> {
          var staff = t.from(STAFF);
          staff.groupBy("by-boss", v -> v).stream()
              .coGroup(staff)
              .and(staff.filter(v -> true))
              .apply("near", Windows.tumbling(Duration.ofHours(1)), (_, _) -> "")
              .results(r -> r.value())
              .to(OUT);
        });
  }

  /// Sides whose partitions differ are moved first; what is moved may lead back.
  @Test
  void whatIsMovedForItsPartitionsMayLeadBackToo() {
    assertExchanges(
        List.of("both-left 0>1 3 because 'staff' has 2 partitions and 'parts' has 3"),
        t -> {
          var staff = t.from(STAFF);
          staff.join("both", stream(t.from(PARTS), NEAR), (v, w) -> v + w).to(OUT);
        });
    assertExchanges(
        List.of(
            "both-left 0>1 3 because 'staff' has 2 partitions and 'parts' has 3",
            "both-right 0>1 3" + back("both-left")),
        t -> {
          var staff = t.from(STAFF);
          var parts = t.from(PARTS);
          staff.join("both", stream(parts, NEAR), (v, w) -> v + w).to(OUT);
          staff.map(v -> v).merge(parts.map(v -> v)).to(OUT); // so they are in one stage
        });
  }

  /// The merge brings together what does not come back, and what does because of the join.
  @Test
  void aSideOfAnotherNodeIsMovedBeforeAMergeIsRefused() {
    assertExchanges(
        List.of("e 0>2 3", "f 1>2 3", "near-right 1>2 3" + back("f")),
        t -> {
          var staff = t.from(STAFF);
          var parts = t.from(PARTS);
          var one = staff.groupBy("e", v -> v).stream();
          one.map(v -> v).merge(parts.groupBy("f", v -> v).stream().map(v -> v)).to(OUT);
          one.join("near", stream(parts, NEAR), (v, w) -> v + w).to(OUT);
        });
  }

  @Test
  void aMergeHasNoNameForAnExchangeAndIsRefused() {
    assertRefused(
        "merge brings records of 'staff' together with those of exchange 'h', which is fed by tasks"
            + " that read 'staff': they would wait for themselves. Bring the records of 'staff' to"
            + " the merge through an exchange, too, with repartition(name) before it.",
        t -> {
          var staff = t.from(STAFF);
          staff.merge(staff.groupBy("g", v -> v).stream().groupBy("h", v -> v).stream()).to(OUT);
        });
    plan(t -> {
      var staff = t.from(STAFF);
      staff
          .repartition("r")
          .merge(staff.groupBy("g", v -> v).stream().groupBy("h", v -> v).stream())
          .to(OUT);
    });
    assertRefused(
        "merge brings records of 'staff' together with those of exchange 'g', which is fed by tasks"
            + " that read 'staff': they would wait for themselves. Bring the records of 'staff' to"
            + " the merge through an exchange, too, with groupBy(name, key).stream().map(value ->"
            + " value) before it.",
        t -> {
          var staff = t.from(STAFF).map(v -> v);
          staff.merge(staff.groupBy("g", v -> v).stream().map(v -> v)).to(OUT);
        });
    plan(t -> {
      var staff = t.from(STAFF).map(v -> v);
      staff.groupBy("r", v -> v).stream()
          .map(v -> v)
          .merge(staff.groupBy("g", v -> v).stream().map(v -> v))
          .to(OUT);
    });
  }

  /// The promise of a lookup is that the table is read first.
  @Test
  void aTableThatIsLookedUpIsNotMoved() {
    assertRefused(
        "leftJoin 'found' looks up a table of 'staff' for records of exchange 'by-boss', which is"
            + " fed by tasks that read 'staff'. The table would need an exchange, too, so it could"
            + " not be read before these records. Look up the values as of the records' times, with"
            + " asOf in place of table; or join tables; or copy 'staff' to another topic and read"
            + " the table from there.",
        t ->
            t.from(STAFF).groupBy("by-boss", v -> v).stream()
                .leftJoin("found", table(t.table("staff", STAFF)), (v, w) -> v + w)
                .to(OUT));
    assertExchanges(
        List.of("by-boss 0>1 2", "found-right 0>1 2" + back("by-boss")),
        t ->
            t.from(STAFF).groupBy("by-boss", v -> v).stream()
                .leftJoin("found", asOf(t.table("staff", STAFF), Duration.ZERO), (v, w) -> v + w)
                .to(OUT));
    // A table that is computed is behind an exchange as it is.
    assertExchanges(
        List.of("by-boss 0>1 2", "found-left 0>1 2" + back("by-boss")),
        t -> {
          var staff = t.from(STAFF);
          staff
              .join("found", table(staff.groupBy("by-boss", v -> v).count("below")), (v, n) -> v)
              .to(OUT);
        });
  }

  /// Tables that are joined with each other in any way can be planned, and no exchange leads back.
  @Test
  void noExchangeLeadsBackWhateverIsJoined() {
    int moved = 0;
    for (int seed = 1; seed <= 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Map<String, Integer> topics =
          Map.of("staff", random.nextInt(1, 4), "parts", random.nextInt(1, 4));
      long drawn = random.nextLong();
      TopologyGraph graph = TopologyGraph.of(t -> draw(t, new SplittableRandom(drawn)));
      Plan plan = Planner.plan("app", graph, topics);
      assertEquals(plan.version(), Planner.plan("app", graph, topics).version());
      for (Plan.Exchange each : plan.exchanges()) {
        assertTrue(each.fromStage() < each.toStage(), "seed " + seed + ": " + exchange(each));
        moved += each.node().reason().contains("lead back") ? 1 : 0;
      }
    }
    assertTrue(moved > 300, moved + " were moved");
  }

  private static void draw(Topology topology, SplittableRandom random) {
    List<Table<String, String>> tables = new ArrayList<>();
    tables.add(topology.table("staff", STAFF));
    tables.add(topology.table("parts", PARTS));
    tables.add(topology.table("staff-again", STAFF));
    for (int i = 0, count = random.nextInt(2, 9); i < count; i++) {
      Table<String, String> one = tables.get(random.nextInt(tables.size()));
      Table<String, String> other = tables.get(random.nextInt(tables.size()));
      tables.add(
          switch (random.nextInt(4)) {
            case 0 -> one.join("t" + i, other, (v, w) -> v + w);
            case 1 -> one.leftJoin("t" + i, other, v -> v, (v, w) -> v + w);
            case 2 -> one.groupBy("t" + i, v -> v).count("c" + i).mapValues(n -> "" + n);
            default -> one.join("t" + i, other, v -> v, (v, w) -> v + w);
          });
    }
    tables.forEach(table -> table.to(RESULTS));
  }
}

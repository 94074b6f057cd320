package dev.millrace.internal.engine.topology;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Grouped;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.serde.Serdes;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Where rows are aggregated before they are sent.
class CombiningTest {
  private static final Windows FINAL = Windows.tumbling(ofSeconds(10)).allowedLateness(ZERO);

  private static Sink<Object, Long> out() {
    return Kafka.sink("out").value(Serdes.longs());
  }

  private static TopologyGraph graph(StreamApplication application) {
    return TopologyGraph.of(application);
  }

  private static TopologyGraph grouped(Consumer<Grouped<String, String>> then) {
    return graph(topology -> then.accept(groups(topology)));
  }

  private static Grouped<String, String> groups(Topology topology) {
    return topology.from(Kafka.source("in").value(Serdes.string())).groupBy("groups", text -> text);
  }

  private static void assertCombined(TopologyGraph graph) {
    List<Node> nodes = graph.combined().nodes();
    Node.Combine combine =
        (Node.Combine)
            nodes.stream().filter(Node.Combine.class::isInstance).findFirst().orElseThrow();
    List<Node> behind = graph.combined().consumers(combine);
    assertEquals(1, behind.size());
    Node.Exchange exchange = (Node.Exchange) behind.getFirst();
    assertEquals(combine.combiner().format(), exchange.valueSerde());
    assertEquals(null, exchange.key());
    Node.Stateful to = (Node.Stateful) graph.combined().consumers(exchange).getFirst();
    assertSame(combine.combiner().declared(), to.declared());
    assertTrue(graph.combined().keyed(exchange));
    assertFalse(graph.combined().keyed(combine));
    for (int id = 0; id < nodes.size(); id++) {
      assertEquals(id, nodes.get(id).id());
    }
  }

  private static void assertNotCombined(TopologyGraph graph) {
    assertSame(graph, graph.combined());
  }

  @Test
  void windowsThatJoinTheirAggregatesAreGivenSome() {
    assertCombined(grouped(all -> all.window(FINAL).count("n").results(n -> n.value()).to(out())));
    assertCombined(
        grouped(all ->
            all.window(Windows.hopping(ofSeconds(10), ofSeconds(2)))
                .count("n")
                .results(n -> n.value())
                .to(out())));
    assertCombined(
        grouped(all ->
            all.window(FINAL)
                .aggregate(
                    "n", Aggregate.merging(() -> 0L, (sum, text) -> sum + text.length(), Long::sum))
                .results(n -> n.value())
                .to(out())));
  }

  @Test
  void othersAreGivenTheRowsThemselves() {
    assertNotCombined(
        grouped(all ->
            all.window(FINAL)
                .aggregate("n", () -> 0L, (sum, text) -> sum + text.length())
                .results(n -> n.value())
                .to(out())));
    assertNotCombined(
        grouped(all ->
            all.window(Windows.sessions(ofSeconds(10)))
                .count("n")
                .results(n -> n.value())
                .to(out())));
    assertNotCombined(
        grouped(all ->
            all.window(Windows.tumbling(ofSeconds(10)).early(ofSeconds(1)))
                .count("n")
                .results(n -> n.value())
                .to(out())));
  }

  /// A table tells of every row that changes it, unless only what they come to is wanted.
  @Test
  void aTableIsGivenAggregatesWhereItsChangesAreConflated() {
    assertCombined(grouped(all -> all.count("n").conflated().toChangelogStream().to(out())));
    assertNotCombined(grouped(all -> all.count("n").toChangelogStream().to(out())));
    assertNotCombined(
        grouped(all -> {
          Table<String, Long> counts = all.count("n");
          counts.conflated().toChangelogStream().to(out());
          counts.toChangelogStream().to(Kafka.sink("each").value(Serdes.longs()));
        }));
  }

  @Test
  void whoeverWantsRowsThatAreTooLateIsGivenThemselves() {
    assertNotCombined(
        grouped(all ->
            all.window(FINAL)
                .tooLate(late -> late.to(Kafka.sink("late").value(Serdes.string())))
                .count("n")
                .results(n -> n.value())
                .to(out())));
  }

  @Test
  void anExchangeThatOthersReadIsLeftAlone() {
    assertNotCombined(
        grouped(all -> {
          all.window(FINAL).count("n").results(n -> n.value()).to(out());
          all.stream().to(Kafka.sink("all").value(Serdes.string()));
        }));
  }

  /// The counts of the first windows may be corrected, so those of the second take some out again.
  @Test
  void whatMayBeTakenBackIsSentAsItIs() {
    TopologyGraph graph =
        grouped(all ->
            all.window(Windows.tumbling(ofSeconds(10)))
                .count("n")
                .results(n -> n.value())
                .groupBy("counts", count -> count)
                .window(Windows.tumbling(ofSeconds(10)))
                .count("m")
                .results(m -> m.value())
                .to(out()));
    assertCombined(graph);
    assertEquals(
        1, graph.combined().nodes().stream().filter(Node.Combine.class::isInstance).count());
  }

  /// An exchange that carries aggregates goes on to do so, and what else it is to feed gets another
  /// one; one that does not carry them never will.
  @Test
  void anExchangeKeepsWhatItCarries() {
    Consumer<Grouped<String, String>> windows =
        all -> all.window(FINAL).count("n").results(n -> n.value()).to(out());
    TopologyGraph both =
        grouped(all -> {
          windows.accept(all);
          all.count("m").toStream().to(out());
        });
    assertNotCombined(both);
    TopologyGraph kept = both.combined(Map.of("groups", "counted(long)"));
    assertEquals(
        List.of("groups counted(long) to n", "groups-beside string to m"), exchanges(kept));
    TopologyGraph other =
        grouped(all -> all.count("m").toStream().to(out()))
            .combined(Map.of("groups", "counted(long)"));
    assertEquals(List.of("groups-beside string to m"), exchanges(other));
    TopologyGraph plain = grouped(windows).combined(Map.of("groups", "string"));
    assertEquals(List.of("groups string to n"), exchanges(plain));
  }

  private static List<String> exchanges(TopologyGraph graph) {
    return graph.nodes().stream()
        .filter(Node.Exchange.class::isInstance)
        .map(Node.Exchange.class::cast)
        .map(exchange ->
            "%s %s to %s"
                .formatted(
                    exchange.name(),
                    exchange.valueSerde().id(),
                    ((Node.Stateful) graph.consumers(exchange).getFirst()).name()))
        .sorted()
        .toList();
  }
}

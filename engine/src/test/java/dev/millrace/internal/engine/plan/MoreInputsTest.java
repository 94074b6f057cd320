package dev.millrace.internal.engine.plan;

import static dev.millrace.api.With.broadcast;
import static dev.millrace.api.With.stream;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Plans that read more than the one before them.
class MoreInputsTest {
  private static final Map<String, Integer> PARTITIONS =
      new TreeMap<>(Map.of("a", 2, "b", 2, "c", 2, "d", 2, "wide", 3));

  private record Named(Consumer<Topology> program) implements StreamApplication {
    @Override
    public String name() {
      return "app";
    }

    @Override
    public void describe(Topology topology) {
      program.accept(topology);
    }
  }

  private static TopologyGraph graph(Consumer<Topology> program) {
    return TopologyGraph.of(new Named(program));
  }

  private static Plan plan(Consumer<Topology> program) {
    return Planner.plan("app", graph(program), PARTITIONS);
  }

  private static KeyedStream<String, String> from(Topology topology, String... topics) {
    return topology.from(Kafka.sources(topics).key(Serdes.string()).value(Serdes.string()));
  }

  private static void write(KeyedStream<String, ?> stream) {
    stream
        .mapValues(Object::toString)
        .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
  }

  private static void write(Table<String, ?> table) {
    write(table.mapValues(Object::toString).toChangelogStream());
  }

  private static Consumer<Topology> counting(String... topics) {
    return topology -> {
      var in = from(topology, topics);
      write(in.groupByKey().count("n"));
      write(in.groupBy("values", value -> value).count("m"));
    };
  }

  private static Consumer<Topology> unkeyed(String... topics) {
    return topology ->
        write(
            topology
                .from(Kafka.sources(topics).value(Serdes.string()))
                .groupBy("values", value -> value)
                .count("m"));
  }

  private static Consumer<Topology> joining(String[] left, String[] right) {
    return topology ->
        write(
            from(topology, left)
                .join(
                    "j",
                    stream(from(topology, right), Within.of(Duration.ofSeconds(1))),
                    (l, r) -> l + r));
  }

  private static String[] of(String... topics) {
    return topics;
  }

  private static void assertGrows(Consumer<Topology> before, Consumer<Topology> now) {
    Plan was = plan(before);
    Plan is = plan(now);
    PlanDiff difference = PlanDiff.between(was.description(), is.description());
    assertTrue(difference.isGrowth(), () -> difference.lines().toString());
    assertEquals(was.version(), is.version(), "what was committed is gone on with");
    assertNotEquals(
        was.description().inputsHash(),
        is.description().inputsHash(),
        "no two processes read other streams");
    // What is read was written, and tells the same.
    PlanDescription read = PlanDescription.parse(was.description().text());
    assertTrue(PlanDiff.between(read, is.description()).isGrowth());
    assertAsked(now, before);
  }

  /// What a person has to accept, as state is not of what feeds the operator.
  private static void assertAsked(Consumer<Topology> one, Consumer<Topology> other) {
    PlanDiff diff = PlanDiff.between(plan(one).description(), plan(other).description());
    assertFalse(diff.isGrowth(), () -> diff.lines().toString());
    assertTrue(diff.isPossible(), () -> diff.lines().toString());
    assertFalse(diff.keepsMeaning(), () -> diff.lines().toString());
  }

  /// What has to be accepted, and changes the meaning of nothing.
  private static void assertAdds(Consumer<Topology> one, Consumer<Topology> other) {
    PlanDiff diff = PlanDiff.between(plan(one).description(), plan(other).description());
    assertFalse(diff.isGrowth(), () -> diff.lines().toString());
    assertTrue(diff.keepsMeaning(), () -> diff.lines().toString());
  }

  private static void assertRefused(Consumer<Topology> one, Consumer<Topology> other) {
    PlanDiff difference = PlanDiff.between(plan(one).description(), plan(other).description());
    assertFalse(difference.isGrowth(), () -> difference.lines().toString());
    assertFalse(difference.isPossible(), () -> difference.lines().toString());
  }

  @Test
  void anInputMoreIsGoneOnWithAndOneLessIsNot() {
    assertGrows(counting("a"), counting("a", "b"));
    assertGrows(counting("b"), counting("a", "b", "c"));
    assertGrows(counting("a", "c"), counting("a", "b", "c"));
    assertGrows(unkeyed("wide"), unkeyed("wide", "a"));
    assertGrows(joining(of("a"), of("b")), joining(of("a"), of("b", "c")));
    assertGrows(joining(of("a", "b"), of("c")), joining(of("a", "b", "d"), of("c")));
    assertGrows(
        topology -> write(from(topology, "a").groupByKey().count("n")),
        topology -> write(from(topology, "a").merge(from(topology, "b")).groupByKey().count("n")));
  }

  @Test
  void whatIsNewBesidesIsRefusedOrHasToBeAccepted() {
    assertAsked(counting("a"), counting("b"));
    assertRefused(unkeyed("a"), unkeyed("a", "wide")); // a task more
    assertRefused(joining(of("a"), of("b")), joining(of("b"), of("a")));
    assertRefused(joining(of("a"), of("b")), joining(of("b", "c"), of("a")));
    // Records of b would be missing that were read by the one side alone.
    assertRefused(joining(of("a"), of("b")), joining(of("a", "b"), of("b")));
    assertRefused(joining(of("a"), of("b")), joining(of("a", "b"), of("b", "c")));
    assertAdds(
        counting("a"),
        topology -> {
          counting("a").accept(topology);
          write(from(topology, "b").groupByKey().count("another"));
        });
    assertAdds(
        topology -> write(from(topology, "a").mapValues(value -> value)),
        topology ->
            write(
                from(topology, "a")
                    .join(
                        "j",
                        broadcast(
                            topology.broadcastTable(
                                "t", Kafka.source("b").key(Serdes.string()).value(Serdes.string())),
                            value -> value),
                        (l, r) -> l + r)));
  }

  @Test
  void aPatternIsPlannedLikeTheListOfWhatMatches() {
    TopologyGraph pattern =
        graph(topology -> {
          var in =
              topology.from(
                  Kafka.sources(Pattern.compile("[abc]"))
                      .key(Serdes.string())
                      .value(Serdes.string()));
          write(in.groupByKey().count("n"));
          write(in.groupBy("values", value -> value).count("m"));
        });
    assertEquals(1, pattern.patterns().size());
    assertEquals("[abc]", pattern.patterns().getFirst().choice().text());
    for (List<String> topics : List.of(List.of("a"), List.of("a", "b"), List.of("a", "b", "c"))) {
      TopologyGraph found = pattern.withTopics(_ -> topics);
      assertEquals(List.of(), found.patterns());
      Plan plan = Planner.plan("app", found, PARTITIONS);
      Plan listed = plan(counting(topics.toArray(String[]::new)));
      assertEquals(listed.description().text(), plan.description().text());
      assertEquals(PlanText.text(listed), PlanText.text(plan));
    }
  }
}

package dev.millrace.internal.engine.plan;

import static dev.millrace.api.With.stream;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.PlanDiff.Effect;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Numbers of stages, tasks and stores over a life of changes.
class NumberingTest {
  private static final int PIPELINES = 6;
  private static final int OPERATORS = 3;
  private static final Map<String, Integer> PARTITIONS = new TreeMap<>();

  static {
    for (int i = 0; i < PIPELINES; i++) {
      PARTITIONS.put("in" + i, 1 + i % 3);
    }
  }

  /// What each pipeline counts, in any order; behind an exchange if that is said.
  private record Drawn(List<Integer> pipelines, Map<Integer, List<Integer>> operators)
      implements StreamApplication {
    @Override
    public String name() {
      return "app";
    }

    @Override
    public void describe(Topology topology) {
      for (int pipeline : pipelines) {
        var stream =
            topology.from(
                Kafka.source("in" + pipeline).key(Serdes.string()).value(Serdes.string()));
        for (int operator : operators.getOrDefault(pipeline, List.of())) {
          String name = "p" + pipeline + "-o" + operator;
          if (operator % 2 == 0) {
            stream.groupByKey().count(name);
          } else {
            stream.groupBy(name + "-by", value -> value).count(name);
          }
        }
        stream.to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
      }
    }
  }

  private static Drawn draw(Random random) {
    List<Integer> pipelines = new ArrayList<>();
    Map<Integer, List<Integer>> operators = new HashMap<>();
    for (int pipeline = 0; pipeline < PIPELINES; pipeline++) {
      if (random.nextInt(3) > 0) {
        pipelines.add(random.nextInt(pipelines.size() + 1), pipeline);
        List<Integer> drawn = new ArrayList<>();
        for (int operator = 0; operator < OPERATORS; operator++) {
          if (random.nextBoolean()) {
            drawn.add(random.nextInt(drawn.size() + 1), operator);
          }
        }
        operators.put(pipeline, drawn);
      }
    }
    if (pipelines.isEmpty()) {
      pipelines.add(0);
    }
    return new Drawn(pipelines, operators);
  }

  private static Plan plan(StreamApplication application, @Nullable PlanDescription before) {
    return Planner.plan("app", TopologyGraph.of(application), PARTITIONS, before);
  }

  /// What a store, and the task of a split, is called wherever its bytes lie.
  private static void note(Plan plan, Map<String, String> places) {
    for (Plan.Stage stage : plan.stages()) {
      for (Plan.Store store : stage.stores()) {
        same(places, "store " + store.spec().name(), store.number() + " in " + stage.index());
      }
      for (Plan.Input input : stage.inputs()) {
        for (int i = 0; i < input.partitions(); i++) {
          same(places, input.stream() + "-" + i, "task " + (stage.firstTask() + i));
        }
      }
    }
  }

  private static void same(Map<String, String> places, String what, String place) {
    String before = places.put(what, place);
    assertTrue(before == null || before.equals(place), what + ": " + before + ", now " + place);
  }

  @Test
  void whatWasNumberedOnceKeepsItsNumberAndNothingElseEverGetsIt() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Map<String, String> places = new HashMap<>();
      PlanDescription before = null;
      for (int change = 0; change < 8; change++) {
        Plan plan = plan(draw(random), before);
        note(plan, places);
        Set<Integer> tasks = new HashSet<>();
        plan.tasks()
            .forEach(task -> {
              assertTrue(tasks.add(task.number()), "two tasks " + task.number());
              assertTrue(task.number() < plan.slots());
              assertEquals(task, plan.task(task.number()));
            });
        if (before != null) {
          PlanDiff diff = PlanDiff.between(before, plan.description());
          assertTrue(diff.isPossible() && diff.keepsMeaning(), () -> diff.lines().toString());
        }
        // What is recorded says the same.
        before = PlanDescription.parse(plan.description().text());
        assertEquals(plan.description(), before);
      }
      Map<String, String> owners = new HashMap<>();
      places.forEach((what, place) -> {
        if (what.startsWith("store ")) {
          String other = owners.put(place.split(" in ")[0], what);
          assertTrue(other == null, what + " and " + other + " have number " + place);
        }
      });
    }
  }

  @Test
  void aPlanWithoutOneBeforeIsNumberedInItsOrder() {
    Drawn drawn = new Drawn(List.of(0, 2), Map.of(0, List.of(0, 1), 2, List.of(1)));
    List<String> numbers = new ArrayList<>();
    Plan plan = plan(drawn, null);
    plan.stages().forEach(stage -> numbers.add(stage.index() + " from " + stage.firstTask()));
    plan.stores().forEach(store -> numbers.add(store.spec().name() + " " + store.number()));
    // Of one task: 'in0' and behind its exchange; of three: 'in2' and behind its exchange.
    assertEquals(
        List.of("0 from 0", "1 from 1", "2 from 2", "3 from 5", "p0-o0 1", "p0-o1 2", "p2-o1 3"),
        numbers);
    assertEquals(8, plan.slots());
  }

  @Test
  void whatComesBackIsSaidToResume() {
    Drawn both = new Drawn(List.of(0, 1), Map.of(0, List.of(0), 1, List.of(1)));
    Drawn one = new Drawn(List.of(0), Map.of(0, List.of(0)));
    PlanDescription was = plan(both, null).description();
    PlanDescription without = plan(one, was).description();
    assertEquals(
        List.of(
            "- count 'p1-o1' (store 'p1-o1') is gone",
            "- exchange 'p1-o1-by' is gone",
            "- input 'in1' is gone"),
        PlanDiff.between(was, without).lines().stream().sorted().toList());
    PlanDescription again = plan(both, without).description();
    assertEquals(
        List.of(
            "^ count 'p1-o1' (store 'p1-o1') is there again",
            "^ exchange 'p1-o1-by' is there again",
            "^ input 'in1' is there again"),
        PlanDiff.between(without, again).lines().stream().sorted().toList());
    assertFalse(PlanDiff.between(without, again).isGrowth());
    assertEquals(was.version(), Objects.requireNonNull(again).version());
  }

  /// Counts by key, and by value behind an exchange, and joins with what comes through another.
  private record Named(String suffix, boolean renames) implements StreamApplication {
    @Override
    public String name() {
      return "app";
    }

    @Override
    public void describe(Topology topology) {
      if (renames) {
        topology.renamed("by-key", "by-key" + suffix);
        topology.renamed("by-value", "by-value" + suffix);
        topology.renamed("n", "n" + suffix);
        topology.renamed("joined", "joined" + suffix);
      }
      var records = topology.from(Kafka.source("in2").key(Serdes.string()).value(Serdes.string()));
      records.groupByKey().count("by-key" + suffix);
      records.groupBy("by-value" + suffix, value -> value).window(TUMBLING).count("n" + suffix);
      var others = topology.from(Kafka.source("in1").key(Serdes.string()).value(Serdes.string()));
      records
          .join("joined" + suffix, stream(others, Within.of(Duration.ofSeconds(1))), (l, r) -> l)
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  private static final Windows TUMBLING = Windows.tumbling(Duration.ofSeconds(1));

  private static List<String> numbers(Plan plan) {
    List<String> numbers = new ArrayList<>();
    plan.stages().forEach(stage -> numbers.add(stage.index() + " from " + stage.firstTask()));
    plan.stores().forEach(store -> numbers.add(store.spec().name() + " " + store.number()));
    plan.exchanges().forEach(exchange -> numbers.add(exchange.topic() + " " + exchange.format()));
    return numbers;
  }

  @Test
  void whatIsRenamedKeepsNumbersAndTopics() {
    Plan first = plan(new Named("", false), null);
    Plan renamed = plan(new Named("-later", true), first.description());
    assertEquals(
        numbers(first), numbers(renamed).stream().map(each -> each.replace("-later", "")).toList());
    PlanDiff diff =
        PlanDiff.between(first.description(), renamed.description(), Formats.of(renamed));
    assertTrue(diff.keepsMeaning(), () -> diff.lines().toString());
    assertTrue(
        diff.changes().stream().allMatch(each -> each.effect() == Effect.RENAMED),
        () -> diff.lines().toString());
    assertTrue(
        diff.lines().contains("> count 'by-key-later' (store 'by-key-later') was 'by-key'"),
        () -> diff.lines().toString());
    // It may stay, and is of no effect then; and the plan can be read again.
    PlanDescription recorded = PlanDescription.parse(renamed.description().text());
    assertEquals(renamed.description(), plan(new Named("-later", true), recorded).description());
    assertEquals(numbers(renamed), numbers(plan(new Named("-later", false), recorded)));
  }

  @Test
  void withoutSayingItARenamedOperatorIsAnother() {
    Plan first = plan(new Named("", false), null);
    Plan other = plan(new Named("-later", false), first.description());
    PlanDiff diff = PlanDiff.between(first.description(), other.description(), Formats.of(other));
    assertTrue(
        diff.lines().contains("+ count 'by-key-later' (store 'by-key-later') is new"),
        () -> diff.lines().toString());
    assertTrue(
        diff.lines().contains("- count 'by-key' (store 'by-key') is gone"),
        () -> diff.lines().toString());
  }
}

package dev.millrace.internal.engine.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import dev.millrace.internal.engine.plan.PlanDiff.Effect;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Plans whose records change in stores and exchanges.
class EvolvingPlansTest {
  private record First(String user, int n) {}

  private record Second(String user, @Was("n") long visits, @Nullable String last) {}

  private record Wider(String user, int n, @Nullable String last) {}

  private record Renamed(String user, @Was("n") int visits) {}

  private record Widened(String user, long n) {}

  private record Third(String user, @Was("n") int visits) {}

  /// Keeps the latest of what goes through an exchange.
  private record Latest<V>(Serde<V> values, Class<V> type) implements StreamApplication {
    @Override
    public String name() {
      return "app";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").value(values))
          .groupBy("by-text", value -> value.toString())
          .latest("latest")
          .toStream()
          .to(Kafka.sink("out").key(Serdes.string()).value(values));
    }
  }

  private static Plan plan(StreamApplication application, @Nullable PlanDescription before) {
    return Planner.plan("app", TopologyGraph.of(application), Map.of("in", 2), before);
  }

  private static <R extends Record> Latest<R> latest(Class<R> type) {
    return new Latest<>(Serdes.record(type), type);
  }

  private static PlanDiff diff(StreamApplication was, StreamApplication is) {
    Plan before = plan(was, null);
    Plan now = plan(is, before.description());
    return PlanDiff.between(before.description(), now.description(), Formats.of(now));
  }

  @Test
  void whatCanBeReadEvolvesInStoresAndExchanges() {
    PlanDiff diff = diff(latest(First.class), latest(Second.class));
    assertTrue(diff.keepsMeaning(), () -> diff.lines().toString());
    assertEquals(
        List.of(Effect.EVOLVES, Effect.EVOLVES),
        diff.changes().stream().map(PlanDiff.Change::effect).toList(),
        () -> diff.lines().toString());
  }

  @Test
  void whatCannotBeReadIsRefusedWithTheComponent() {
    PlanDiff diff = diff(latest(Second.class), latest(Third.class));
    assertFalse(diff.isPossible());
    assertTrue(
        diff.lines().stream()
            .anyMatch(line ->
                line.startsWith("x store 'latest'")
                    && line.contains(
                        "component visits of Third was written as long and is read as int")),
        () -> diff.lines().toString());
  }

  /// After a component was added or removed, the program before reads what the next one has
  /// written; after one was renamed or widened, it does not.
  @Test
  void goingBackIsRefusedWhereTheOldProgramCannotRead() {
    assertTrue(diff(latest(Wider.class), latest(First.class)).keepsMeaning());
    for (Class<? extends Record> later : List.of(Renamed.class, Widened.class)) {
      assertTrue(diff(latest(First.class), latest(later)).keepsMeaning(), later.getName());
      PlanDiff back = diff(latest(later), latest(First.class));
      assertFalse(back.isPossible(), () -> back.lines().toString());
      assertTrue(
          back.lines().stream()
              .anyMatch(line -> line.startsWith("x store 'latest'") && line.contains("of First")),
          () -> back.lines().toString());
    }
  }

  @Test
  void theExchangeKeepsItsFormatForBothVersions() {
    Plan before = plan(latest(First.class), null);
    Plan now = plan(latest(Second.class), before.description());
    assertEquals(before.exchanges().getFirst().format(), now.exchanges().getFirst().format());
    assertEquals(
        Optional.empty(),
        Formats.of(now)
            .obstacle(
                now.description().parts().stream()
                    .filter(part -> part.kind() == PlanDescription.Kind.STORE)
                    .findFirst()
                    .orElseThrow(),
                Serdes.record(First.class).schema()));
  }

  /// A migration can be rolled back if it has a way back.
  @Test
  void aMigrationIsToldAndWhetherItCanBeRolledBack() {
    Serde<First> first = Serdes.record(First.class);
    var second = Serdes.version(2, Serdes.string());
    StreamApplication was = new Latest<>(first, First.class);
    StreamApplication oneWay =
        new Latest<>(second.from(1, first, value -> value.user()), String.class);
    StreamApplication andBack =
        new Latest<>(
            second.from(1, first, value -> value.user(), user -> new First(user, 0)), String.class);
    for (StreamApplication is : List.of(oneWay, andBack)) {
      PlanDescription before = plan(was, null).description();
      Plan now = plan(is, before);
      PlanDiff diff = PlanDiff.between(before, now.description(), Formats.of(now));
      assertTrue(diff.keepsMeaning(), () -> diff.lines().toString());
      assertEquals(
          List.of(Effect.MIGRATED, Effect.MIGRATED),
          diff.changes().stream().map(PlanDiff.Change::effect).toList());
      Rollback rollback = Rollback.of(diff, before, now.description(), Formats.of(now));
      assertEquals(
          is.equals(andBack) ? Rollback.Verdict.YES : Rollback.Verdict.NO,
          rollback.verdict(),
          rollback::text);
    }
  }
}

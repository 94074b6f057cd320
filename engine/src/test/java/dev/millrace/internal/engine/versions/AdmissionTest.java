package dev.millrace.internal.engine.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import dev.millrace.internal.engine.plan.Formats;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDiff;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What becomes of programs while a change is rolled out, rolled back and finalized.
class AdmissionTest {
  private record Visit(String user, int n) {}

  private record Counted(String user, @Was("n") long visits, @Nullable String last) {}

  private record Other(String text) {}

  /// Keeps the latest value of each user, under a name.
  private record Latest<V>(String name, String before, Serde<V> values, boolean counts)
      implements StreamApplication, Program {
    @Override
    public void describe(Topology topology) {
      if (!before.isEmpty()) {
        topology.renamed(before, name);
      }
      var users =
          topology
              .from(Kafka.source("in").value(values))
              .groupBy("by-text", value -> value.toString());
      if (counts) {
        users
            .count("more")
            .toStream()
            .to(Kafka.sink("counts").key(Serdes.string()).value(Serdes.longs()));
      }
      users.latest(name).toStream().to(Kafka.sink("out").key(Serdes.string()).value(values));
    }

    Plan planned(@Nullable PlanDescription earlier) {
      return Planner.plan("app", TopologyGraph.of(this), Map.of("in", 2), earlier);
    }

    @Override
    public PlanDescription plan(@Nullable PlanDescription earlier) {
      return planned(earlier).description();
    }

    @Override
    public PlanDiff diff(PlanDescription earlier, PlanDescription now) {
      return PlanDiff.between(earlier, now, Formats.of(planned(earlier)));
    }

    @Override
    public List<String> unreadable(PlanDescription earlier, PlanDescription older) {
      return planned(earlier).writingFor(older).written().obstacles();
    }
  }

  private static final Latest<Visit> FIRST =
      new Latest<>("latest", "", Serdes.record(Visit.class), false);
  private static final Latest<Counted> SECOND =
      new Latest<>("newest", "latest", Serdes.record(Counted.class), true);

  /// Cannot be read by either.
  private static final Latest<Other> THIRD =
      new Latest<>(
          "newest",
          "latest",
          Serdes.version(2, Serdes.record(Other.class))
              .from(1, Serdes.record(Counted.class), value -> new Other(value.user())),
          true);

  private static Recorded recorded(@Nullable Deployment deployment, PlanDescription... plans) {
    Recorded recorded = new Recorded();
    for (PlanDescription each : plans) {
      recorded.recorded(each, deployment);
    }
    return recorded;
  }

  private static Admission admit(Program program, Recorded recorded) {
    return Admission.of("app", program, "auto", recorded);
  }

  private static Set<String> numbers(PlanDescription plan, boolean parked) {
    return plan.parts().stream()
        .filter(part -> part.kind() == PlanDescription.Kind.STORE && part.parked() == parked)
        .map(part -> part.name() + " " + value(part, "number"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String value(PlanDescription.Part part, String parameter) {
    return part.parameters().all().stream()
        .filter(each -> each.name().equals(parameter))
        .findFirst()
        .orElseThrow()
        .value();
  }

  @Test
  void theFirstPlanIsNewAndOpensNothing() {
    Admission first = admit(FIRST, new Recorded());
    assertTrue(first.isNew());
    assertNull(first.writesFor());
    assertNull(first.before());
  }

  @Test
  void aChangeMayBeReturnedFromUntilItIsFinalized() {
    PlanDescription one = admit(FIRST, new Recorded()).plan();
    Admission change = admit(SECOND, recorded(null, one));
    assertTrue(change.isNew());
    assertEquals(one, change.writesFor());
    assertEquals(Set.of("more 2", "newest 1"), numbers(change.plan(), false));
    PlanDescription two = change.plan();
    Recorded open = recorded(new Deployment(one.hash(), 5, false), one, two);

    Admission again = admit(SECOND, open);
    assertFalse(again.isNew());
    assertEquals(one, again.writesFor());

    Admission back = admit(FIRST, open);
    assertFalse(back.isNew());
    assertNull(back.writesFor());
    assertEquals(Set.of("latest 1"), numbers(back.plan(), false));
    assertEquals(Set.of("more 2"), numbers(back.plan(), true));
    assertEquals(one.version(), back.plan().version());

    Admission after = admit(SECOND, recorded(null, one, two));
    assertNull(after.writesFor());
    assertThrows(PlanRefusedException.class, () -> admit(FIRST, recorded(null, one, two)));
  }

  @Test
  void theReturnedPlanLeadsToTheSameChangeAgain() {
    PlanDescription one = admit(FIRST, new Recorded()).plan();
    PlanDescription two = admit(SECOND, recorded(null, one)).plan();
    PlanDescription returned = one.returnedTo(two);
    assertEquals(returned, FIRST.plan(returned));
    Admission again = admit(SECOND, recorded(null, one, two, returned));
    assertTrue(again.isNew());
    assertEquals(numbers(two, false), numbers(again.plan(), false));
    assertEquals(returned, again.writesFor());
  }

  @Test
  void valuesAreWrittenAsTheFormerPlanReadsThem() {
    PlanDescription one = FIRST.plan(null);
    Plan two = SECOND.planned(one).writingFor(one);
    assertEquals(List.of(), two.written().obstacles());
    String schema = Serdes.record(Visit.class).schema();
    Plan.Store newest = two.stores().filter(store -> store.number() == 1).findFirst().orElseThrow();
    assertEquals(schema, two.written().spec(newest).valueSerde().schema());
    assertEquals(schema, two.written().values(two.exchanges().getFirst().node()).schema());
    assertEquals(Map.of(), SECOND.planned(one).written().stores());
  }

  @Test
  void whatTheFormerPlanCannotReadWaitsForTheEndOfTheDeployment() {
    PlanDescription one = FIRST.plan(null);
    PlanDescription two = SECOND.plan(one);
    Recorded open = recorded(new Deployment(one.hash(), 5, false), one, two);
    PlanRefusedException refused =
        assertThrows(PlanRefusedException.class, () -> admit(THIRD, open));
    assertTrue(
        refused.getMessage().contains("the values of store 'newest'")
            && refused.getMessage().contains("millrace deploy finalize app"),
        refused.getMessage());
    Admission third = admit(THIRD, recorded(null, one, two));
    assertNull(third.writesFor());
    assertEquals(
        List.of("the values of store 'newest'", "the values of exchange 'by-text'"),
        third.unreadable());
  }

  /// The deployment before changed no format, so nobody has to finalize it.
  @Test
  void aDeploymentWithoutOtherFormatsIsNotWaitedFor() {
    Latest<Visit> more = new Latest<>("latest", "", Serdes.record(Visit.class), true);
    Latest<Other> third =
        new Latest<>(
            "latest",
            "",
            Serdes.version(2, Serdes.record(Other.class))
                .from(1, Serdes.record(Visit.class), value -> new Other(value.user())),
            true);
    PlanDescription one = FIRST.plan(null);
    PlanDescription two = more.plan(one);
    Recorded open = recorded(new Deployment(one.hash(), 5, false), one, two);
    assertEquals(one, admit(more, open).writesFor());
    Admission changed = admit(third, open);
    assertTrue(changed.isNew());
    assertNull(changed.writesFor());
    assertFalse(changed.unreadable().isEmpty());
  }
}

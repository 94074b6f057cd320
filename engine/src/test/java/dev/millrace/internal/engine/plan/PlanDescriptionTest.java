package dev.millrace.internal.engine.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is kept of a plan in the log.
class PlanDescriptionTest {
  private static final StreamApplication PER_MINUTE =
      t ->
          t.from(Kafka.source("orders").value(Serdes.string()))
              .groupBy("by-customer", order -> order)
              .window(Windows.tumbling(Duration.ofMinutes(1)))
              .count("per-minute")
              .results(result -> result.value())
              .as(Serdes.longs())
              .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.longs()));

  private static final String WRITTEN =
      """
      millrace plan 1
      application shop
      stage 0
        partitions = 4
      input orders
        partitions = 4
        every task reads all = no
        table = no
        stage = 0
      stage 1
        partitions = 4
      operator per-minute
        kind = windows
        windows = tumbling
        size = 1m
        lateness = 1m
        only final = no
        early = no
        computes = count
        fed by = by-customer
        stage = 1
      store per-minute
        operator = per-minute
        number = 1
        ranges = yes
        serde of keys = time+string
        serde of values = long
      store per-minute-late
        operator = per-minute
        number = 2
        ranges = yes
        serde of keys = long
        serde of values = record:dev.millrace.spi.job.LateRecords
        schema of values = LateRecords{corrected:long,tooLate:long,largestMillis:long}
        values expire = yes
        time to live ~ 168h
      store per-minute-fired
        operator = per-minute
        number = 3
        ranges = no
        serde of keys = one
        serde of values = time+string
      exchange by-customer
        from stage = 0
        to stage = 1
        partitions = 4
        fed by = orders
        serde of keys = string
        serde of values = counted(long)
        schema of values = counted 4:long
        code of the key function ~ CODE
      """;

  private static PlanDescription perMinute() {
    return Planner.plan("shop", TopologyGraph.of(PER_MINUTE), Map.of("orders", 4)).description();
  }

  /// A changed text is a changed format: those that were written would not be read as what they
  /// are.
  @Test
  void aPlanIsWrittenThisWay() {
    assertEquals(WRITTEN, perMinute().text().replaceAll("~ [0-9a-f]{16}\n", "~ CODE\n"));
  }

  @Test
  void itsNumbersStayWhatTheyAre() {
    PlanDescription read = PlanDescription.parse(WRITTEN);
    assertEquals(perMinute().version(), read.version());
    assertEquals("e03df5c4db00e575", "%016x".formatted(read.version()));
    assertEquals("d48036ab1ad2aedc", read.hash());
  }

  @Test
  void whateverIsInItIsReadAsItWasWritten() {
    Parameters odd =
        Parameters.NONE
            .with("schema", "a\nb\r\\n \\ = ~ c")
            .with("empty", "")
            .with("equals", " = ")
            .with("tilde", " ~ ")
            .withCode("code", "0 = 1");
    PlanDescription written =
        new PlanDescription(
            List.of(
                new Part(Kind.APPLICATION, "a", Parameters.NONE),
                new Part(Kind.INPUT, "odd\n  name = \\", odd),
                new Part(Kind.STORE, "store", odd)));
    assertEquals(written, PlanDescription.parse(written.text()));
  }

  @Test
  void whatIsNoneIsRefused() {
    for (String text :
        List.of(
            "",
            "millrace plan 2\n",
            "x",
            "millrace plan 1\nnonsense",
            "millrace plan 1\n  a = b")) {
      assertThrows(IllegalArgumentException.class, () -> PlanDescription.parse(text), text);
    }
    IllegalArgumentException later =
        assertThrows(
            IllegalArgumentException.class, () -> PlanDescription.parse("millrace plan 2\n"));
    assertTrue(String.valueOf(later.getMessage()).contains("'millrace plan 2'"));
  }

  private static PlanDescription plan(int stores, String schema) {
    return new PlanDescription(
        IntStream.range(0, stores)
            .mapToObj(i -> new Part(Kind.STORE, "s" + i, Parameters.NONE.with("schema", schema)))
            .toList());
  }

  @Test
  void longValuesAreToldWhereTheyDifferAndManyDifferencesAreCounted() {
    String schema = "x".repeat(1000) + "OLD" + "y".repeat(1000);
    PlanDiff one = PlanDiff.between(plan(1, schema), plan(1, schema.replace("OLD", "NEW")));
    assertEquals(1, one.lines().size());
    String line = one.lines().getFirst();
    assertTrue(line.contains("xOLDy") && line.contains("xNEWy") && line.length() < 500, line);
    List<String> many = PlanDiff.between(plan(100, "a"), plan(100, "b")).lines();
    assertEquals(21, many.size());
    assertEquals("and 80 more", many.getLast());
  }

  @Test
  void whatFollowsFromAnotherDifferenceIsNotTold() {
    PlanDescription was = stores("kept", "gone");
    PlanDiff difference = PlanDiff.between(was, stores("kept"));
    assertEquals(List.of("- store 'gone' of '' is gone"), difference.lines());
    assertTrue(difference.keepsMeaning());
    assertEquals(
        List.of("x store 'a' of '': number was 1, is 2", "x store 'b' of '': number was 2, is 1"),
        PlanDiff.between(stores("a", "b"), stores("b", "a")).lines().stream().sorted().toList());
  }

  private static PlanDescription stores(String... names) {
    return new PlanDescription(
        IntStream.range(0, names.length)
            .mapToObj(i -> new Part(Kind.STORE, names[i], Parameters.NONE.with("number", i + 1)))
            .toList());
  }
}

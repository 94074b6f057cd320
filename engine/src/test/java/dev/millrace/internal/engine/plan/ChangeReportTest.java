package dev.millrace.internal.engine.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.api.Grouped;
import dev.millrace.api.Kafka;
import dev.millrace.api.Stream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a change costs, as it is told.
class ChangeReportTest {
  private static final long GB = 1L << 30;

  private record First(int n, String fax) {}

  private record Second(@Was("n") long visits, @Nullable String email) {}

  private record App(Consumer<Grouped<String, String>> operators, Map<String, String> renamed)
      implements StreamApplication {
    @Override
    public String name() {
      return "app";
    }

    @Override
    public void describe(Topology topology) {
      Stream<String> texts = topology.from(Kafka.source("in").value(Serdes.string()));
      texts.to(Kafka.sink("out").value(Serdes.string()));
      operators.accept(texts.groupBy("by-text", value -> value));
      renamed.forEach(topology::renamed);
    }
  }

  private static App app(Consumer<Grouped<String, String>> operators) {
    return new App(operators, Map.of());
  }

  private static Plan plan(StreamApplication application, @Nullable PlanDescription before) {
    return Planner.plan("app", TopologyGraph.of(application), Map.of("in", 2), before);
  }

  private static final App BEFORE =
      app(keyed -> {
        keyed.count("totals");
        keyed.aggregate("profiles", () -> new First(0, ""), (value, _) -> value);
        keyed.count("old-counts");
      });

  private static final App AFTER =
      new App(
          keyed -> {
            keyed.count("sums");
            keyed.aggregate("profiles", () -> new Second(0, null), (value, _) -> value);
            keyed.latest("fraud");
          },
          Map.of("totals", "sums"));

  private static StateSizes sizes(
      PlanDescription plan, int reported, int tasks, Map<String, Long> byName) {
    SortedMap<Integer, Long> bytes = new TreeMap<>();
    plan.storeNames()
        .forEach((number, name) -> {
          if (byName.containsKey(name)) {
            bytes.put(number, byName.get(name));
          }
        });
    return new StateSizes(bytes, reported, tasks, 5 << 20);
  }

  private static final Map<String, Long> BY_NAME =
      Map.of("totals", 31 * GB / 10, "profiles", 6 * GB / 5, "old-counts", 84 * GB);

  private static ChangeReport report(App was, App is, StateSizes sizes) {
    PlanDescription before = plan(was, null).description();
    Plan now = plan(is, before);
    Formats formats = Formats.of(now);
    PlanDiff diff = PlanDiff.between(before, now.description(), formats);
    return ChangeReport.of(diff, before, now.description(), formats, sizes);
  }

  @Test
  void eachLineHasItsBytesAndTheLastSentenceTheWayBack() {
    StateSizes sizes = sizes(plan(BEFORE, null).description(), 4, 4, BY_NAME);
    ChangeReport report = report(BEFORE, AFTER, sizes);
    assertEquals(
        """
            state  writes
        >  3.1 GB     0 B  count 'sums' (store 'sums') was 'totals'
        ~  1.2 GB     0 B  store 'profiles' of aggregate 'profiles': values were First{n:int,fax:string}, are Second{visits=n:long,email:string}
        +     0 B     0 B  latest 'fraud' (store 'fraud') is new
        -   84 GB     0 B  count 'old-counts' (store 'old-counts') is gone
        """,
        text(report.lines()));
    assertEquals(
        List.of(
            "The change writes 0 B of state.",
            "Rollback in place: yes, losing the component email of Second in store 'profiles' of"
                + " aggregate 'profiles', and the component fax of new First in store 'profiles' of"
                + " aggregate 'profiles', and the records that count 'old-counts' (store"
                + " 'old-counts') misses until then."),
        report.notes());
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }

  @Test
  void sizesThatAreNotKnownAreSaidToBe() {
    ChangeReport unknown = report(BEFORE, AFTER, StateSizes.UNKNOWN);
    assertEquals(
        List.of("> ", "~ ", "+ ", "- "),
        unknown.lines().stream().skip(1).map(line -> line.substring(0, 2)).toList());
    assertEquals(
        """
           state  writes
        >      ?     0 B  count 'sums' (store 'sums') was 'totals'\
        """,
        String.join("\n", unknown.lines().subList(0, 2)));
    assertEquals(
        "Sizes are not known: no process has reported any yet. Each does so half a minute after"
            + " its start and when it ends.",
        unknown.notes().getFirst());
    StateSizes two = sizes(plan(BEFORE, null).description(), 2, 4, BY_NAME);
    assertEquals(
        "Sizes are those of 2 of 4 tasks: the others were not reported yet.",
        report(BEFORE, AFTER, two).notes().getFirst());
  }

  @Test
  void whatIsKeptHasBytesToo() {
    App more =
        app(keyed -> {
          BEFORE.operators.accept(keyed);
          keyed.latest("fraud");
        });
    StateSizes sizes = sizes(plan(BEFORE, null).description(), 1, 1, BY_NAME);
    assertEquals(
        """
            state  writes
        =  3.1 GB     0 B  count 'totals' (store 'totals') is kept
        =  1.2 GB     0 B  aggregate 'profiles' (store 'profiles') is kept
        =   84 GB     0 B  count 'old-counts' (store 'old-counts') is kept
        +     0 B     0 B  latest 'fraud' (store 'fraud') is new
        """,
        text(report(BEFORE, more, sizes).lines()));
    assertEquals(
        List.of("The change writes 0 B of state.", "Rollback in place: yes."),
        report(BEFORE, more, sizes).notes());
    // Nothing was in the stores of operators that have told of none.
    assertEquals(
        " 0 B",
        report(BEFORE, more, sizes(plan(BEFORE, null).description(), 1, 1, Map.of()))
            .lines()
            .get(1)
            .substring(4, 8));
  }

  @Test
  void whatIsRefusedHasBytesAndNoWayBack() {
    App minutes =
        app(keyed -> keyed.window(Windows.tumbling(Duration.ofMinutes(1))).count("views"));
    App hours = app(keyed -> keyed.window(Windows.tumbling(Duration.ofHours(1))).count("views"));
    StateSizes sizes =
        sizes(plan(minutes, null).description(), 1, 1, Map.of("views", 900L, "views-late", 99L));
    ChangeReport report = report(minutes, hours, sizes);
    assertEquals("x  999 B       -  ", report.lines().get(1).substring(0, 18));
    assertNull(report.rollback());
    assertEquals(List.of(), report.notes());
  }

  /// A migration, which is the one that writes.
  @Test
  void aMigrationWritesItsBytesInSomeTime() {
    PlanDescription plan = plan(BEFORE, null).description();
    Part store =
        plan.parts().stream()
            .filter(part -> part.kind() == Kind.STORE && part.name().equals("profiles"))
            .findFirst()
            .orElseThrow();
    PlanDiff diff =
        new PlanDiff(
            List.of(
                new PlanDiff.Change(
                    PlanDiff.Effect.MIGRATED, store, "", "store 'profiles' is migrated", false)),
            List.of(),
            "12345678");
    StateSizes sizes = sizes(plan, 1, 1, Map.of("profiles", 200L << 20));
    ChangeReport report = ChangeReport.of(diff, plan, plan, Formats.NONE, sizes);
    assertEquals(
        """
            state  writes
        !  200 MB  200 MB  store 'profiles' is migrated
        """,
        text(report.lines()));
    assertEquals(
        List.of(
            "The change writes 200 MB of state, in about 40 s beside the work.",
            "Rollback in place: no: store 'profiles' of aggregate 'profiles': the old program"
                + " cannot read its values as the new one writes them."),
        report.notes());
    ChangeCost cost = report.cost(diff.changes().getFirst());
    assertEquals(200L << 20, cost.written().orElseThrow());
    assertEquals(40, cost.seconds().orElseThrow());
    StateSizes noRate = new StateSizes(sizes.bytes(), 1, 1, 0);
    assertEquals(
        "The change writes 200 MB of state. How long that takes is not known: no rate was measured"
            + " yet.",
        ChangeReport.of(diff, plan, plan, Formats.NONE, noRate).notes().getFirst());
    assertEquals(
        "How much state the change writes is not known.",
        ChangeReport.of(diff, plan, plan, Formats.NONE, StateSizes.UNKNOWN).notes().get(1));
  }

  /// Windows keep what operators compute in a format that is made of others.
  @Test
  void theWayBackIsFoundInFormatsThatAreMadeOfOthers() {
    App was =
        app(keyed ->
            keyed
                .window(Windows.tumbling(Duration.ofMinutes(1)))
                .aggregate("visits", () -> new First(0, ""), (value, _) -> value));
    App is =
        app(keyed ->
            keyed
                .window(Windows.tumbling(Duration.ofMinutes(1)))
                .aggregate("visits", () -> new Second(0, null), (value, _) -> value));
    Rollback rollback = report(was, is, StateSizes.UNKNOWN).rollback();
    assertNotNull(rollback);
    assertEquals(Rollback.Verdict.LOSSY, rollback.verdict(), rollback.reasons().toString());
    assertEquals(
        List.of("the component email of Second", "the component fax of new First"),
        rollback.reasons().stream()
            .map(each -> each.replaceFirst(" in .*", ""))
            .distinct()
            .toList());
  }

  @Test
  void amountsAreRoundedAsPeopleDo() {
    Map<Long, String> bytes = new TreeMap<>();
    bytes.put(0L, "0 B");
    bytes.put(999L, "999 B");
    bytes.put(1000L, "1.0 KB");
    bytes.put(10_189L, "10 KB");
    bytes.put(84 * GB, "84 GB");
    bytes.put(31 * GB / 10, "3.1 GB");
    bytes.put(1000L << 40, "1000 TB");
    bytes.forEach((amount, text) -> assertEquals(text, Rounded.bytes(amount)));
    List<String> times = new ArrayList<>();
    for (long seconds : new long[] {1, 40, 99, 100, 35 * 60, 99 * 60, 3 * 3600, 50 * 3600}) {
      times.add(Rounded.seconds(seconds));
    }
    assertEquals(
        List.of("1 s", "40 s", "99 s", "2 min", "35 min", "99 min", "3 h", "2 days"), times);
  }
}

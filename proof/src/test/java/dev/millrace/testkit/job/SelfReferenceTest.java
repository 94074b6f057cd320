package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.testkit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/// Tables that refer to themselves or to each other, and topics that are read in several ways,
/// against what a plain computation says of the last entries.
///
/// An entry is somebody with a boss, `boss/name`, or without, `/name`. Bosses change, are nobody
/// yet or any more, are oneself, and boss each other about in circles.
class SelfReferenceTest {
  private static final KafkaKeyedSource<String, String> STAFF = source("staff");
  private static final KafkaKeyedSource<String, String> PARTS = source("parts");
  private static final KafkaKeyedSink<String, String> OUT = sink("out");
  private static final KafkaKeyedSink<String, String> MORE = sink("more");

  /// Of which each build takes the first.
  private static final int SEEDS = 4;

  private static KafkaKeyedSource<String, String> source(String name) {
    return Kafka.source(name).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> sink(String name) {
    return Kafka.sink(name).key(Serdes.string()).value(Serdes.string());
  }

  private static @Nullable String boss(String entry) {
    String boss = entry.substring(0, entry.indexOf('/'));
    return boss.isEmpty() ? null : boss;
  }

  private static String of(@Nullable String left, @Nullable Object right) {
    return left + " of " + right;
  }

  /// What a topology makes of one or two tables.
  private interface Oracle {
    void compute(Map<String, String> staff, Map<String, String> parts, Map<String, String> out);
  }

  /// @param name of the test
  /// @param oracle computes the last entries of topic `out`, and of topic `more` with a `+` before
  ///   their keys
  private record Shape(String name, Consumer<Topology> build, Oracle oracle) {}

  private static final List<Shape> SHAPES =
      List.of(
          new Shape(
              "employees and their managers",
              t -> {
                Table<String, String> staff = t.table("staff", STAFF);
                staff.join("boss", staff, v -> boss(v), (v, b) -> of(v, b)).to(OUT);
              },
              (staff, _, out) -> refer(staff, staff, false, out)),
          new Shape(
              "those without a manager, too",
              t -> {
                Table<String, String> staff = t.table("staff", STAFF);
                staff.leftJoin("boss", staff, v -> boss(v), (v, b) -> of(v, b)).to(OUT);
              },
              (staff, _, out) -> refer(staff, staff, true, out)),
          new Shape(
              "a topic as two tables, of which one refers to the other",
              t -> {
                Table<String, String> staff = t.table("staff", STAFF);
                Table<String, String> bosses = t.table("bosses", STAFF);
                staff.leftJoin("boss", bosses, v -> boss(v), (v, b) -> of(v, b)).to(OUT);
              },
              (staff, _, out) -> refer(staff, staff, true, out)),
          new Shape(
              "a topic as two tables with equal keys",
              t ->
                  t.table("staff", STAFF)
                      .join("both", t.table("again", STAFF), (v, w) -> of(v, w))
                      .to(OUT),
              (staff, _, out) -> staff.forEach((key, v) -> out.put(key, of(v, v)))),
          new Shape(
              "two tables that refer to each other",
              t -> {
                Table<String, String> staff = t.table("staff", STAFF);
                Table<String, String> parts = t.table("parts", PARTS);
                staff.leftJoin("ours", parts, v -> boss(v), (v, p) -> of(v, p)).to(OUT);
                parts.join("theirs", staff, p -> boss(p), (p, v) -> of(p, v)).to(MORE);
              },
              (staff, parts, out) -> {
                refer(staff, parts, true, out);
                Map<String, String> more = new TreeMap<>();
                refer(parts, staff, false, more);
                more.forEach((key, v) -> out.put("+" + key, v));
              }),
          new Shape(
              "managers of managers",
              t -> {
                Table<String, String> staff = t.table("staff", STAFF);
                staff
                    .leftJoin("boss", staff, v -> boss(v), (v, b) -> (b == null ? "/" : b))
                    .leftJoin("above", staff, b -> boss(b), (b, c) -> of(b, c))
                    .to(OUT);
              },
              (staff, _, out) -> {
                for (String key : staff.keySet()) {
                  String b = Objects.requireNonNullElse(found(staff, staff.get(key)), "/");
                  out.put(key, of(b, found(staff, b)));
                }
              }),
          new Shape(
              "everybody with the number of those below",
              t -> {
                Table<String, String> staff = t.table("staff", STAFF);
                Table<String, Long> below =
                    staff.groupBy("by-boss", v -> String.valueOf(boss(v))).count("below");
                staff.leftJoin("with", below, (v, n) -> of(v, n)).to(OUT);
              },
              (staff, _, out) ->
                  staff.forEach((key, v) -> {
                    long below = staff.values().stream().filter(w -> key.equals(boss(w))).count();
                    out.put(key, of(v, below == 0 ? null : below));
                  })),
          new Shape(
              "entries beside what became of them in a join with themselves",
              t -> {
                Table<String, String> staff = t.table("staff", STAFF);
                Table<String, String> bosses =
                    staff.join("boss", staff, v -> boss(v), (v, b) -> of(v, b));
                staff.outerJoin("both", bosses, (v, b) -> of(v, b)).to(OUT);
                bosses.groupBy("by-result", b -> b).count("alike").mapValues(n -> "" + n).to(MORE);
              },
              (staff, _, out) -> {
                Map<String, String> bosses = new TreeMap<>();
                refer(staff, staff, false, bosses);
                staff.forEach((key, v) -> out.put(key, of(v, bosses.get(key))));
                bosses
                    .values()
                    .forEach(b -> out.merge("+" + b, "1", (n, _) -> "" + (Long.parseLong(n) + 1)));
              }));

  private static @Nullable String found(Map<String, String> other, String entry) {
    String boss = boss(entry);
    return boss == null ? null : other.get(boss);
  }

  private static void refer(
      Map<String, String> from, Map<String, String> to, boolean left, Map<String, String> out) {
    from.forEach((key, entry) -> {
      String other = found(to, entry);
      if (left || other != null) {
        out.put(key, of(entry, other));
      }
    });
  }

  /// What is sent to a topic: values, or none to delete a key.
  private record Change(String key, @Nullable String value) {}

  private static List<Change> changes(Seed seed) {
    List<Change> changes = new ArrayList<>();
    for (int i = 0, count = seed.between(20, 40); i < count; i++) {
      String key = key(seed.below(7));
      int boss = seed.below(9);
      String value = (boss == 8 ? "" : boss == 7 ? key : key(boss)) + "/" + seed.below(4);
      changes.add(new Change(key, seed.chance(0.2) ? null : value));
    }
    return changes;
  }

  /// Some begin like others.
  private static String key(int number) {
    return List.of("", "a", "aa", "ab", "b", "\u0080b", "a\u0000").get(number);
  }

  private static Map<String, String> last(List<Change> changes) {
    Map<String, String> last = new TreeMap<>();
    for (Change change : changes) {
      if (change.value == null) {
        last.remove(change.key);
      } else {
        last.put(change.key, change.value);
      }
    }
    return last;
  }

  private static void send(TestInput<String, String> input, List<Change> changes) {
    for (Change change : changes) {
      if (change.value == null) {
        input.delete(change.key);
      } else {
        input.send(change.key, change.value);
      }
    }
  }

  /// @param ticks whether tables change at ticks
  private record Built(Shape shape, boolean ticks) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      if (ticks) {
        topology.consistentEvery(Duration.ofMillis(100));
      }
      shape.build.accept(topology);
    }

    @Override
    public String name() {
      return "self";
    }

    boolean has(String topic) {
      return TopologyGraph.of(this).nodes().stream()
          .anyMatch(node ->
              node instanceof Node.Input input && input.source().stream().equals(topic)
                  || node instanceof Node.Output output && output.sink().stream().equals(topic));
    }
  }

  private static Map<String, String> written(Built built, TestJob job) {
    Map<String, String> written = new TreeMap<>(job.output(OUT).latest());
    if (built.has("more")) {
      job.output(MORE).latest().forEach((key, value) -> written.put("+" + key, value));
    }
    return written;
  }

  private static void check(Built built, boolean bounded, long number) {
    Seed seed = new Seed(number);
    Map<String, List<Change>> all = new TreeMap<>();
    for (String topic : List.of("parts", "staff")) {
      all.put(topic, built.has(topic) ? changes(seed.fork(topic)) : List.of());
    }
    Map<String, String> expected = new TreeMap<>();
    built.shape.oracle.compute(last(all.get("staff")), last(all.get("parts")), expected);
    assertTrue(expected.size() > 0);
    Harsh.of(built, job -> send(built, job, all, bounded))
        .then(job -> assertEquals(expected, written(built, job)))
        .check();
  }

  private static void send(
      Built built, TestJob job, Map<String, List<Change>> all, boolean bounded) {
    all.forEach((topic, changes) -> {
      if (built.has(topic)) {
        TestInput<String, String> input = job.input(source(topic));
        send(input, changes);
        if (bounded) {
          input.end();
        }
      }
    });
  }

  private static Stream<DynamicTest> plain(long first, long last) {
    return SHAPES.stream()
        .map(shape ->
            DynamicTest.dynamicTest(
                shape.name,
                () -> {
                  Built built = new Built(shape, false);
                  for (long seed = first; seed <= last; seed++) {
                    check(built, seed % 2 == 0, seed);
                  }
                }));
  }

  @TestFactory
  Stream<DynamicTest> lastEntriesAreThoseOfAPlainComputation() {
    return plain(1, 1);
  }

  @TestFactory
  @Tag("thorough")
  Stream<DynamicTest> soTheyAreWithMoreSeeds() {
    return plain(2, SEEDS);
  }

  @TestFactory
  Stream<DynamicTest> soTheyAreAtTicks() {
    return SHAPES.stream()
        .map(shape ->
            DynamicTest.dynamicTest(shape.name, () -> check(new Built(shape, true), true, 11)));
  }
}

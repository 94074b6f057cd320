package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.engine.settings.DeadLetter;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.job.Traps.Event;
import dev.millrace.testkit.job.Traps.Fails;
import dev.millrace.testkit.job.Traps.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// User code that throws, at every place where there is user code, under every policy: what is left
/// is what a job gives that never had it, and the dead letters are what failed, once each.
class DeadLettersTest {
  private static final int EVENTS = 60;
  private static final int PARTITIONS = 2;
  private static final List<Integer> BATCHES = List.of(7, 64);

  static List<Place> places() {
    return Traps.all();
  }

  /// Events in order of time, some of them bad.
  private static List<Event> events(long seed) {
    Seed random = new Seed(seed).fork("events");
    List<Event> events = new ArrayList<>();
    long at = 1_000_000;
    for (int i = 0; i < EVENTS; i++) {
      at += random.below(2_000);
      boolean bad = i == 17 || i == 40 || random.chance(0.02);
      events.add(new Event("k" + random.below(5), i, bad ? Traps.BAD : random.between(1, 90), at));
    }
    return events;
  }

  /// Events of which many are bad, one behind the other, and nearly all of one key. The first of a
  /// key is not: a reducer is not asked about it.
  private static List<Event> runs(long seed) {
    Seed random = new Seed(seed).fork("runs");
    Set<String> known = new HashSet<>();
    List<Event> events = new ArrayList<>();
    for (Event event : events(seed)) {
      boolean first = known.add(event.key());
      boolean run = event.id() >= 10 && event.id() < 10 + random.between(10, 30);
      boolean bad = !first && (run || event.key().equals("k3") || random.chance(0.1));
      long value = bad ? Traps.BAD : event.isBad() ? 1 : event.value();
      events.add(new Event(event.key(), event.id(), value, event.at()));
    }
    return events;
  }

  private record Outcome(Map<String, Integer> out, List<TestLetter> letters) {}

  private static Outcome run(
      Place place,
      boolean armed,
      OnError policy,
      long seed,
      List<Event> events,
      Consumer<TestJob> disturbance) {
    try (TestJob job = job(place, armed, policy, seed, events)) {
      disturbance.accept(job);
      Map<String, Integer> out = new TreeMap<>();
      if (place.table()) {
        job.output("out").latest().forEach((key, value) -> out.put(key + " = " + value, 1));
      } else {
        for (TestRecord<Object, Object> record : job.output("out").records()) {
          out.merge(text(record), 1, Integer::sum);
        }
      }
      List<TestLetter> letters =
          policy == OnError.DEAD_LETTER ? job.deadLetters() : new ArrayList<>();
      return new Outcome(out, letters);
    }
  }

  private static String text(TestRecord<?, ?> record) {
    return record.key() + " = " + record.value();
  }

  private static TestJob job(
      Place place, boolean armed, OnError policy, long seed, List<Event> events) {
    TestJob job =
        TestJob.of(place.application(armed))
            // A table shows the last value of a batch, which may hide a bad one.
            .shaped(
                Shape.standard()
                    .withBatch(place.table() ? 1 : BATCHES.get((int) seed % BATCHES.size())))
            .seed(seed)
            .partitions(PARTITIONS)
            .onError(policy);
    var input = job.input("events");
    events.forEach(event -> input.send(event.key(), event));
    input.end();
    return job;
  }

  /// What a job without anything bad gives.
  private static Map<String, Integer> expected(Place place, long seed, List<Event> events) {
    List<Event> given = new ArrayList<>(events);
    if (place.fails() != Fails.RESULT) {
      given.removeIf(Event::isBad);
    }
    Map<String, Integer> out = run(place, false, OnError.FAIL, seed, given, _ -> {}).out();
    assertFalse(out.isEmpty());
    out.keySet().removeIf(DeadLettersTest::isBad);
    return out;
  }

  private static boolean isBad(String record) {
    return record.contains("BAD");
  }

  @ParameterizedTest
  @MethodSource("places")
  void everythingElseArrivesAndWhatFailedIsADeadLetter(Place place) {
    List<Event> first = events(1);
    Map<String, Integer> expected = expected(place, 1, first);
    check(place, first, 1, expected, "undisturbed", _ -> {});
    check(
        place,
        first,
        1,
        expected,
        "crashed twice and stopped",
        job -> job.crashLosingDisks().restart().crash());
    List<Event> second = events(2);
    check(place, second, 2, expected(place, 2, second), "crashed", TestJob::crash);
  }

  @ParameterizedTest
  @MethodSource("places")
  void manyInARowLeaveTheSame(Place place) {
    List<Event> third = runs(3);
    check(place, third, 3, expected(place, 3, third), "runs", _ -> {});
    List<Event> fourth = runs(4);
    check(place, fourth, 4, expected(place, 4, fourth), "runs, crashed", TestJob::crash);
  }

  @ParameterizedTest
  @MethodSource("places")
  void whatFailedIsPassedOverWhereThatIsThePolicy(Place place) {
    List<Event> events = events(2);
    assertEquals(
        expected(place, 2, events),
        run(place, true, OnError.SKIP, 2, events, TestJob::crash).out());
  }

  private static void check(
      Place place,
      List<Event> events,
      long seed,
      Map<String, Integer> expected,
      String how,
      Consumer<TestJob> disturbance) {
    String about = place + ", " + how + ", seed " + seed;
    Outcome found = run(place, true, OnError.DEAD_LETTER, seed, events, disturbance);
    assertEquals(expected, found.out(), about);
    assertEquals(failed(place, seed, events), letters(place, found.letters()), about);
    for (TestLetter letter : found.letters()) {
      assertTrue(letter.header("millrace.cause").contains(Traps.CAUSE), about + ": " + letter);
      assertFalse(letter.header("millrace.operator").isEmpty(), about + ": " + letter);
      if (place.fails() == Fails.RESULT || place.fails() == Fails.WAITING) {
        assertFalse(letter.header("millrace.source").isEmpty(), about + ": " + letter);
        assertEquals("", letter.header("millrace.offset"), about + ": " + letter);
        assertTrue(letter.header("millrace.task").matches("\\d-\\d"), about + ": " + letter);
      }
    }
  }

  /// What has to become a dead letter: bad events with their places, or the keys of bad results.
  private static List<String> failed(Place place, long seed, List<Event> events) {
    List<String> failed = new ArrayList<>();
    if (place.fails() == Fails.RESULT) {
      Map<String, Integer> whole = run(place, false, OnError.FAIL, seed, events, _ -> {}).out();
      whole.forEach((record, times) -> {
        if (isBad(record)) {
          for (int i = 0; i < times; i++) {
            failed.add(record.substring(0, record.indexOf(' ')));
          }
        }
      });
      assertNotEquals(List.of(), failed);
    } else {
      Map<Integer, Long> offsets = new TreeMap<>();
      for (Event event : events) {
        int partition = Partitioner.partition(Bytes.ofUtf8(event.key()), PARTITIONS);
        long offset = offsets.merge(partition, 1L, Long::sum) - 1;
        if (event.isBad()) {
          failed.add(
              event + (place.fails() == Fails.RECORD ? " events:" + partition + ":" + offset : ""));
        }
      }
    }
    failed.sort(null);
    return failed;
  }

  private static List<String> letters(Place place, List<TestLetter> letters) {
    List<String> found = new ArrayList<>();
    for (TestLetter letter : letters) {
      Bytes key = letter.key();
      Bytes value = letter.value();
      if (place.fails() == Fails.RESULT) {
        boolean named = place.name().startsWith("top-k"); // its rows have no key
        found.add(named ? "null" : key == null ? "null" : key.toUtf8());
      } else {
        String where =
            " %s:%s:%s"
                .formatted(
                    letter.header("millrace.topic"),
                    letter.header("millrace.partition"),
                    letter.header("millrace.offset"));
        found.add(
            Serdes.record(Event.class).read(value) + (place.fails() == Fails.RECORD ? where : ""));
        assertEquals(place.fails() == Fails.RECORD, where.contains(" events:"), where);
        assertEquals(place.fails() == Fails.WAITING, where.equals(" ::"), where);
      }
    }
    found.sort(null);
    return found;
  }

  @ParameterizedTest
  @MethodSource("places")
  void whereItIsToStopTheJobSaysWhatFailedAndTheWayOut(Place place) {
    List<Event> events = events(1);
    try (TestJob job = job(place, true, OnError.FAIL, 1, events)) {
      String failure = job.failure();
      assertTrue(failure.contains(Traps.CAUSE), failure);
      assertTrue(failure.contains("errors.on-error: dead-letter"), failure);
      if (place.fails() == Fails.RESULT || place.fails() == Fails.WAITING) {
        assertTrue(
            failure.contains("for " + (place.name().startsWith("top-k") ? "" : "key k")), failure);
      } else {
        TreeSet<String> places = new TreeSet<>(failed(place, 1, events));
        String source = failure.replaceAll("(?s).*at (\\S+) in .*", "$1");
        assertTrue(
            place.fails() == Fails.EXCHANGED
                || places.stream().anyMatch(each -> each.endsWith(" " + source)),
            failure + places);
        assertTrue(failure.contains("--skip " + source), failure);
      }
    }
  }

  /// Sums of ten seconds for each key, of which those from 100 to 199 cannot be told; behind them a
  /// count of all results, which is wrong if one is taken back that never came.
  private record Sums(Windows windows) implements StreamApplication {
    @Override
    public String name() {
      return "sums-that-fail";
    }

    @Override
    public void describe(Topology topology) {
      var results =
          topology
              .from(Traps.events())
              .groupByKey()
              .window(windows)
              .aggregate(
                  "sums",
                  Aggregate.<Long, Event>merging(
                      () -> 0L, (sum, event) -> sum + event.value(), Long::sum))
              .as(Serdes.longs())
              .results(result -> told(result.value()))
              .as(Serdes.longs());
      results.to(Kafka.sink("sums").key(Serdes.string()).value(Serdes.longs()).withRetractions());
      results
          .groupBy("all", _ -> "all")
          .keyAs(Serdes.string())
          .count("counts")
          .to(Kafka.sink("counts").key(Serdes.string()).value(Serdes.longs()));
    }

    private static long told(long sum) {
      if (sum >= 100 && sum < 200) {
        throw new IllegalStateException("100 to 199 cannot be told");
      }
      return sum;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tumbling", "hopping", "sessions"})
  void whatWasPassedOverIsNotTakenBackWhenALateRecordCorrectsIt(String kind) {
    Duration size = Duration.ofSeconds(10);
    Windows windows =
        switch (kind) {
          case "tumbling" -> Windows.tumbling(size);
          case "hopping" -> Windows.hopping(size, size.dividedBy(2));
          default -> Windows.sessions(size);
        };
    long at = 1_000_000;
    try (TestJob job = TestJob.of(new Sums(windows)).partitions(1).onError(OnError.DEAD_LETTER)) {
      var events = job.input("events");
      events.send("a", new Event("a", 1, 150, at)).send("b", new Event("b", 2, 7, at));
      events.send("c", new Event("c", 3, 1, at + 40_000));
      // A sum is in two hopping windows, of which the first ends five seconds later.
      int windowsOfA = kind.equals("hopping") ? 2 : 1;
      assertEquals(windowsOfA, job.deadLetters().size());
      job.output("counts").hasLatest("all", (long) windowsOfA);
      job.crash();

      events.send("a", new Event("a", 4, 50, at + 1));
      assertEquals(windowsOfA, job.deadLetters().size());
      assertEquals(
          Collections.nCopies(windowsOfA, 200L),
          job.output("sums").records().stream()
              .filter(record -> record.key().equals("a"))
              .map(record -> record.retraction() ? "taken back" : record.value())
              .toList());
      job.output("counts").hasLatest("all", 2L * windowsOfA);

      // It holds now, and is taken back like any other.
      events.send("a", new Event("a", 5, 1, at + 2));
      job.output("sums").hasLatest("a", 201L);
      job.output("counts").hasLatest("all", 2L * windowsOfA);
      assertEquals(windowsOfA, job.deadLetters().size());
    }
  }

  /// Sums of sessions that keep all values; those of 7 cannot be computed, those of 8 not be told.
  private record Sessions() implements StreamApplication {
    @Override
    public String name() {
      return "sessions-that-fail";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Traps.events())
          .groupByKey()
          .window(Windows.sessions(Duration.ofSeconds(10)))
          .apply("sums", (_, all) -> unless(7, all.stream().mapToLong(Event::value).sum()))
          .results(result -> unless(8, result.value()))
          .as(Serdes.longs())
          .to(Kafka.sink("sums").key(Serdes.string()).value(Serdes.longs()));
    }

    private static long unless(long wrong, long sum) {
      if (sum == wrong) {
        throw new IllegalStateException(wrong + " fails");
      }
      return sum;
    }
  }

  @Test
  void lettersOfSessionsNameTheirWindows() {
    long at = 1_000_000;
    try (TestJob job = TestJob.of(new Sessions()).partitions(1).onError(OnError.DEAD_LETTER)) {
      var events = job.input("events");
      for (int i = 0; i < 3; i++) {
        events.send("a", new Event("a", 1, 3, at + i)).send("b", new Event("b", 2, 2 + i, at + i));
      }
      events.send("c", new Event("c", 3, 7, at + 5));
      events.send("d", new Event("d", 4, 8, at + 6)).end();
      job.output("sums").hasLatest(Map.of("a", 9L, "b", 9L));
      assertEquals(
          Map.of(
              "c", Instant.ofEpochMilli(at + 5) + "/" + Instant.ofEpochMilli(at + 10_005),
              "d", Instant.ofEpochMilli(at + 6) + "/" + Instant.ofEpochMilli(at + 10_006)),
          job.deadLetters().stream()
              .collect(
                  Collectors.toMap(
                      letter -> Objects.requireNonNull(letter.key()).toUtf8(),
                      letter -> letter.header(DeadLetter.WINDOW))));
    }
  }

  @Test
  void anEarlyResultThatFailsLeavesTheOneBeforeAndTheLastOneTakesItBack() {
    long at = 1_000_000;
    Windows windows = Windows.tumbling(Duration.ofSeconds(10)).early(Duration.ofSeconds(2));
    try (TestJob job = TestJob.of(new Sums(windows)).partitions(1).onError(OnError.DEAD_LETTER)) {
      var events = job.input("events");
      events.send("a", new Event("a", 1, 5, at)).send("b", new Event("b", 2, 1, at + 2_500));
      job.output("sums").hasLatest("a", 5L);

      events.send("a", new Event("a", 3, 150, at + 3_000));
      events.send("b", new Event("b", 4, 1, at + 5_000));
      assertEquals(1, job.deadLetters().size());
      assertEquals("", job.deadLetters().getFirst().header("millrace.offset"));
      job.output("sums").hasLatest("a", 5L);
      job.crash();

      events.send("b", new Event("b", 5, 1, at + 30_000));
      assertEquals(2, job.deadLetters().size());
      job.output("sums").hasNo("a");
    }
  }

  /// Counts of all events by key at ticks, which cannot be told behind that.
  private record Untold() implements StreamApplication {
    @Override
    public String name() {
      return "untold";
    }

    @Override
    public void describe(Topology topology) {
      topology.consistentEvery(Duration.ofSeconds(5));
      topology
          .from(Traps.events())
          .groupByKey()
          .count("counts")
          .mapValues(count -> {
            if (count == 2) {
              throw new IllegalStateException(Traps.CAUSE);
            }
            return count;
          })
          .as(Serdes.longs())
          .to(Kafka.sink("counts").key(Serdes.string()).value(Serdes.longs()));
    }
  }

  @Test
  void whatATickChangesStopsTheJobWhereItFails() {
    try (TestJob job = TestJob.of(new Untold()).onError(OnError.DEAD_LETTER)) {
      var events = job.input("events");
      events.send("a", new Event("a", 1, 1, 1_000_000)).send("a", new Event("a", 2, 1, 1_000_001));
      events.end();
      String failure = job.failure();
      assertTrue(failure.contains(Traps.CAUSE), failure);
      assertTrue(failure.contains("when event time advanced"), failure);
    }
  }
}

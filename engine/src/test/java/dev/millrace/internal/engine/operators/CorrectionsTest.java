package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.WindowedTable.Ranked;
import dev.millrace.api.Windows.Timing;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.window.CorrectedTopKOperator;
import dev.millrace.internal.engine.operators.window.SlicedWindowOperator;
import dev.millrace.internal.engine.operators.window.WindowOperator;
import dev.millrace.spi.job.LateRecords;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// What an operator has emitted and not taken back is, at every watermark, what a look at all
/// values gives.
class CorrectionsTest {
  private static final FixedWindows TUMBLING = new FixedWindows(10, 10, 25);
  private static final FixedWindows HOPPING = new FixedWindows(10, 4, 13);

  /// More slices in a window than a number has bits.
  private static final FixedWindows OF_MANY_SLICES = new FixedWindows(70, 9, 13);

  private static final List<FixedWindows> DRAWN = List.of(TUMBLING, HOPPING, OF_MANY_SLICES);

  /// Of numbers among which there is 0: a sum of 0 is still a result.
  private static final Aggregation SUMS =
      new Aggregation.Fold(
              () -> 0L,
              (sum, value) -> (Long) sum + number(value),
              (one, other) -> (Long) one + (Long) other,
              (sum, value) -> (Long) sum - number(value))
          .ofChangingRows();

  private static long number(Object value) {
    return Long.parseLong(value.toString().substring(1, 2));
  }

  private static Object sum(List<Object> values) {
    return values.stream().mapToLong(CorrectionsTest::number).sum();
  }

  @Test
  void countsAreCorrected() {
    windows(
        values -> (long) values.size(),
        true,
        windows ->
            WindowOperator.folding(
                "w",
                windows,
                Bench.AT_THE_END,
                Aggregation.count(),
                TestSerdes.STRING,
                TestSerdes.LONG));
  }

  @Test
  void whatIsCountedInSlicesIsCorrected() {
    windows(
        values -> (long) values.size(),
        false,
        windows ->
            SlicedWindowOperator.declare(
                "w", windows, Aggregation.count(), TestSerdes.STRING, TestSerdes.LONG));
  }

  @Test
  void sumsFromWhichValuesAreTakenOutAreCorrected() {
    windows(
        CorrectionsTest::sum,
        true,
        windows ->
            WindowOperator.folding(
                "w", windows, Bench.AT_THE_END, SUMS, TestSerdes.STRING, TestSerdes.LONG));
    windows(
        CorrectionsTest::sum,
        false,
        windows ->
            SlicedWindowOperator.declare("w", windows, SUMS, TestSerdes.STRING, TestSerdes.LONG));
  }

  @Test
  void whatIsMadeOfAllValuesIsCorrected() {
    for (boolean byTime : new boolean[] {false, true}) {
      windows(
          List::copyOf,
          true,
          windows ->
              WindowOperator.retaining(
                  "w",
                  windows,
                  byTime,
                  Bench.AT_THE_END,
                  (_, values) -> List.copyOf(values),
                  TestSerdes.STRING,
                  TestSerdes.STRING,
                  () -> TestSerdes.STRING));
    }
  }

  @Test
  void earlyResultsAreReplaced() {
    List<Timing> timings =
        List.of(
            new Timing(Duration.ZERO, Duration.ZERO, 1, false),
            new Timing(Duration.ZERO, Duration.ofMillis(1), 0, false),
            new Timing(Duration.ZERO, Duration.ofMillis(7), 3, false));
    for (Timing timing : timings) {
      windows(
          values -> (long) values.size(),
          false,
          timing,
          windows ->
              WindowOperator.folding(
                  "w", windows, timing, Aggregation.count(), TestSerdes.STRING, TestSerdes.LONG));
      windows(
          List::copyOf,
          false,
          timing,
          windows ->
              WindowOperator.retaining(
                  "w",
                  windows,
                  true,
                  timing,
                  (_, values) -> new ArrayList<>(values),
                  TestSerdes.STRING,
                  TestSerdes.STRING,
                  () -> TestSerdes.CHANGING_LIST));
    }
  }

  private static void windows(
      Function<List<Object>, Object> kind,
      boolean readsOnlyAhead,
      Function<FixedWindows, Declaration> operator) {
    windows(kind, readsOnlyAhead, Bench.AT_THE_END, operator);
  }

  private static void windows(
      Function<List<Object>, Object> kind,
      boolean readsOnlyAhead,
      Timing timing,
      Function<FixedWindows, Declaration> operator) {
    for (long seed = 1; seed <= 15; seed++) {
      FixedWindows windows = DRAWN.get((int) seed % DRAWN.size());
      for (int batch : new int[] {1, 3, 9}) {
        for (int budget : new int[] {1, 7, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            String run =
                "seed %d batch %d budget %d reopening %b".formatted(seed, batch, budget, reopening);
            Bench bench = new Bench(operator.apply(windows), TestSerdes.STRING);
            bench = reopening ? bench.reopening() : bench;
            bench = reopening && readsOnlyAhead ? bench.readingAhead() : bench;
            new Drawn(run, new Random(seed), windows, kind, timing, bench).run(batch, budget);
          }
        }
      }
    }
  }

  /// Sends drawn rows and compares.
  private static final class Drawn {
    private final String run;
    private final Random random;
    private final FixedWindows windows;
    private final Function<List<Object>, Object> kind;
    private final Timing timing;
    private final Bench bench;
    private final List<Row> arrived = new ArrayList<>();
    private final List<Row> tooLate = new ArrayList<>();
    private final TreeMap<String, List<Object>> values = new TreeMap<>();
    private final Map<String, Long> ends = new TreeMap<>();
    private final Map<Long, LateRecords> late = new TreeMap<>();
    private long watermark = Long.MIN_VALUE;

    Drawn(
        String run,
        Random random,
        FixedWindows windows,
        Function<List<Object>, Object> kind,
        Timing timing,
        Bench bench) {
      this.run = run;
      this.random = random;
      this.windows = windows;
      this.kind = kind;
      this.timing = timing;
      this.bench = bench;
    }

    void run(int batch, int budget) {
      View view = new View();
      long next = -60;
      bench.advance(next, budget);
      watermark = next;
      for (int step = 0; step < 12; step++) {
        List<Row> rows = new ArrayList<>();
        for (int i = random.nextInt(15); i > 0; i--) {
          rows.add(row(next));
        }
        for (int from = 0; from < rows.size(); from += batch) {
          bench.process(rows.subList(from, Math.min(rows.size(), from + batch)));
        }
        next += step == 0 ? 60 : random.nextInt(12);
        bench.advance(next, budget);
        boolean all =
            timing.earlyRecords() == 1 || (timing.earlyEvery().toMillis() == 1 && next > watermark);
        watermark = next;
        Map<String, Object> shown = new TreeMap<>(view.after(run, bench.out()));
        if (!all) {
          shown.keySet().removeIf(place -> ends.getOrDefault(place, 0L) > watermark);
        }
        assertEquals(expected(all), shown, run + " at " + watermark);
        assertEquals(tooLate, bench.late(), run);
        assertEquals(late, bench.lateByWindow("w-late"), run);
      }
      bench.advance(Long.MAX_VALUE, budget);
      watermark = Long.MAX_VALUE;
      assertEquals(expected(false), view.after(run, bench.out()), run);
      if (bench.stored("w-early") != null) {
        assertEquals(0, bench.stored("w-early").size(), run);
        assertEquals(0, bench.stored("w-early-times").size(), run);
      }
      assertEquals(0, bench.stored("w").size(), run);
      if (bench.stored("w-chunks") != null) {
        assertEquals(0, bench.stored("w-chunks").size(), run);
      }
    }

    private Row row(long around) {
      if (!arrived.isEmpty() && random.nextInt(3) == 0) {
        Row row = arrived.remove(random.nextInt(arrived.size()));
        Row back = new Row(row.key(), row.value(), row.timestamp(), true);
        take(back);
        return back;
      }
      String key = DrawnKeys.text(random.nextInt(3));
      long time = around - 30 + random.nextInt(45);
      String padding = "x".repeat(random.nextInt(4) == 0 ? 3_000 : 0);
      Row row = new Row(Bytes.ofUtf8(key), "v" + random.nextInt(3) + padding, time);
      if (take(row)) {
        arrived.add(row);
      }
      return row;
    }

    private boolean take(Row row) {
      boolean taken = false;
      for (long start = row.timestamp() - windows.sizeMillis() + 1;
          start <= row.timestamp();
          start++) {
        long end = start + windows.sizeMillis();
        boolean holds = Math.floorMod(start, windows.everyMillis()) == 0 && end > row.timestamp();
        boolean gone = watermark != Long.MIN_VALUE && end + windows.latenessMillis() <= watermark;
        if (holds && !gone) {
          taken = true;
          String place = start + " " + row.key().toUtf8();
          ends.put(place, end);
          List<Object> all = values.computeIfAbsent(place, _ -> new ArrayList<>());
          if (row.retraction()) {
            all.remove(row.value());
          } else {
            all.add(row.value());
            if (end <= watermark) {
              count(start, new LateRecords(1, 0, behind(row)));
            }
          }
        }
      }
      if (!taken) {
        tooLate.add(row);
        if (!row.retraction()) {
          long last = row.timestamp() - Math.floorMod(row.timestamp(), windows.everyMillis());
          count(last, new LateRecords(0, 1, behind(row)));
        }
      }
      return taken;
    }

    private void count(long window, LateRecords more) {
      late.merge(
          window,
          more,
          (one, other) ->
              new LateRecords(
                  one.corrected() + other.corrected(),
                  one.tooLate() + other.tooLate(),
                  Math.max(one.largestMillis(), other.largestMillis())));
    }

    private long behind(Row row) {
      return Math.max(0, watermark - row.timestamp());
    }

    /// @param open whether results of windows that are open are expected, too
    private Map<String, Object> expected(boolean open) {
      Map<String, Object> expected = new TreeMap<>();
      values.forEach((place, all) -> {
        if (!all.isEmpty() && (open || ends.get(place) <= watermark)) {
          expected.put(place, kind.apply(List.copyOf(sorted(all))));
        }
      });
      return expected;
    }
  }

  /// Which of two equal values was taken out does not matter, but their order would show it.
  private static List<Object> sorted(List<Object> values) {
    return values.stream().sorted(Comparator.comparing(Object::toString)).toList();
  }

  /// What holds of all that was emitted.
  private static final class View {
    private final Map<String, Object> results = new TreeMap<>();
    private int seen;

    Map<String, Object> after(String run, List<Row> out) {
      for (; seen < out.size(); seen++) {
        Row row = out.get(seen);
        WindowResult<?, ?> result = (WindowResult<?, ?>) row.value();
        String place = result.window().start().toEpochMilli() + " " + result.key();
        assertEquals(result.window().end().toEpochMilli() - 1, row.timestamp(), run);
        assertEquals(result.key(), row.key().toUtf8(), run);
        Object value =
            result.value() instanceof List<?> list ? sorted(objects(list)) : result.value();
        if (row.retraction()) {
          assertEquals(results.remove(place), value, run + " takes back " + place);
        } else {
          assertNull(results.put(place, value), run + " has two results at " + place);
        }
      }
      return results;
    }

    private static List<Object> objects(List<?> list) {
      return new ArrayList<>(list);
    }
  }

  @Test
  void aResultThatStaysAsItWasIsNotEmittedAgain() {
    Bench bench =
        new Bench(
            WindowOperator.retaining(
                "w",
                TUMBLING,
                true,
                Bench.AT_THE_END,
                (_, _) -> "same",
                TestSerdes.STRING,
                TestSerdes.STRING,
                () -> TestSerdes.STRING),
            TestSerdes.STRING);
    bench.process(List.of(new Row(Bytes.ofUtf8("k"), "a", 1)));
    bench.advance(20, 10);
    bench.process(List.of(new Row(Bytes.ofUtf8("k"), "b", 2)));
    assertEquals(1, bench.out().size());
  }

  @Test
  void takingBackWhatNeverCameIsBadInput() {
    for (Declaration declared :
        List.of(
            WindowOperator.folding(
                "w",
                TUMBLING,
                Bench.AT_THE_END,
                Aggregation.count(),
                TestSerdes.STRING,
                TestSerdes.LONG),
            WindowOperator.retaining(
                "w",
                TUMBLING,
                true,
                Bench.AT_THE_END,
                (_, values) -> values,
                TestSerdes.STRING,
                TestSerdes.STRING,
                () -> TestSerdes.STRING))) {
      Bench bench = new Bench(declared, TestSerdes.STRING);
      assertThrows(
          IllegalStateException.class,
          () -> bench.process(List.of(new Row(Bytes.ofUtf8("k"), "a", 1, true))));
    }
  }

  @Test
  void rowsThatAreTooLateGoOnIfTheyAreWanted() {
    Bytes key = Bytes.ofUtf8("k");
    for (boolean wanted : new boolean[] {false, true}) {
      Declaration declared =
          SlicedWindowOperator.declare(
              "w", HOPPING, Aggregation.count(), TestSerdes.STRING, TestSerdes.LONG);
      Bench bench = new Bench(wanted ? declared.withLateRows() : declared, TestSerdes.STRING);
      bench.advance(100, 10);
      bench.process(
          List.of(new Row(key, "a", 3), new Row(key, "b", 50, true), new Row(key, "c", 99)));
      assertEquals(wanted ? List.of(new Row(key, new TooLate("a"), 3)) : List.of(), bench.out());
      assertEquals(List.of(new Row(key, "a", 3), new Row(key, "b", 50, true)), bench.late());
    }
  }

  @Test
  void ranksAreCorrected() {
    for (long seed = 1; seed <= 40; seed++) {
      for (int batch : new int[] {1, 2, 5}) {
        for (int budget : new int[] {1, 3, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            String run =
                "seed %d batch %d budget %d reopening %b".formatted(seed, batch, budget, reopening);
            new Ranks(run, new Random(seed), reopening).run(batch, budget);
          }
        }
      }
    }
  }

  private static final class Ranks {
    private static final FixedWindows WINDOWS = new FixedWindows(10, 10, 40);

    private final String run;
    private final Random random;
    private final int k;
    private final Bench bench;
    private final TreeMap<Long, TreeMap<String, Long>> results = new TreeMap<>();
    private final TreeMap<String, Object> view = new TreeMap<>();
    private int seen;

    Ranks(String run, Random random, boolean reopening) {
      this.run = run;
      this.random = random;
      k = 1 + random.nextInt(4);
      Bench made =
          new Bench(
              CorrectedTopKOperator.declare(
                  "t", k, WINDOWS, TestSerdes.STRING, TestSerdes.LONG, null),
              TestSerdes.LONG);
      bench = reopening ? made.reopening() : made;
    }

    void run(int batch, int budget) {
      long watermark = 0;
      for (int step = 0; step < 15; step++) {
        List<Row> rows = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
          rows.addAll(change(watermark));
        }
        for (int from = 0; from < rows.size(); from += batch) {
          bench.process(rows.subList(from, Math.min(rows.size(), from + batch)));
        }
        watermark += random.nextInt(12);
        bench.advance(watermark, budget);
        look();
        assertEquals(expected(watermark), view, run + " at " + watermark);
      }
      bench.advance(Long.MAX_VALUE, budget);
      look();
      assertEquals(expected(Long.MAX_VALUE), view, run);
      assertEquals(0, bench.stored("t").size(), run);
      assertEquals(0, bench.stored("t-results").size(), run);
    }

    /// A new result, or one that takes the place of another, or one that is taken back.
    private List<Row> change(long watermark) {
      // The first window that is not gone, and those behind it.
      long first = Math.floorDiv(watermark - 40, 10) * 10;
      long start = first + 10L * random.nextInt(6);
      String key = DrawnKeys.text(random.nextInt(6));
      Long old = results.computeIfAbsent(start, _ -> new TreeMap<>()).get(key);
      List<Row> rows = new ArrayList<>();
      if (old != null) {
        rows.add(row(start, key, old, true));
        results.get(start).remove(key);
      }
      if (old == null || random.nextBoolean()) {
        long value = random.nextInt(5);
        rows.add(row(start, key, value, false));
        results.get(start).put(key, value);
      }
      return rows;
    }

    private static Row row(long start, String key, long value, boolean retraction) {
      return new Row(
          Bench.key(TestSerdes.LONG, start),
          new WindowResult<>(window(start), key, value),
          start + 9,
          retraction);
    }

    private static Window window(long start) {
      return new Window(Instant.ofEpochMilli(start), Instant.ofEpochMilli(start + 10));
    }

    private void look() {
      for (; seen < bench.out().size(); seen++) {
        Row row = bench.out().get(seen);
        Ranked<?, ?> ranked = (Ranked<?, ?>) row.value();
        String place = ranked.window().start().toEpochMilli() + " " + ranked.rank();
        String value = ranked.key() + "=" + ranked.value();
        assertNull(row.key(), run);
        if (row.retraction()) {
          assertEquals(view.remove(place), value, run + " takes back " + place);
        } else {
          assertNull(view.put(place, value), run + " has two results at " + place);
        }
      }
    }

    private Map<String, Object> expected(long watermark) {
      Map<String, Object> expected = new TreeMap<>();
      results.forEach((start, all) -> {
        if (start + 10 <= watermark) {
          List<Map.Entry<String, Long>> sorted = new ArrayList<>(all.entrySet());
          sorted.sort(
              Map.Entry.<String, Long>comparingByValue()
                  .reversed()
                  .thenComparing(Map.Entry.comparingByKey()));
          for (int i = 0; i < Math.min(k, sorted.size()); i++) {
            Map.Entry<String, Long> entry = sorted.get(i);
            expected.put(start + " " + (i + 1), entry.getKey() + "=" + entry.getValue());
          }
        }
      });
      return expected;
    }
  }
}

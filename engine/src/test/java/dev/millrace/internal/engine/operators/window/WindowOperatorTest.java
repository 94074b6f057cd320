package dev.millrace.internal.engine.operators.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Arrival;
import dev.millrace.internal.engine.operators.Bench.Event;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.Bench.Watermark;
import dev.millrace.internal.engine.operators.DrawnKeys;
import dev.millrace.internal.engine.operators.FixedWindows;
import dev.millrace.internal.engine.operators.TestSerdes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WindowOperatorTest {
  private static final FixedWindows TEN = new FixedWindows(10, 10, 0);
  private static final FixedWindows HOPPING = new FixedWindows(10, 4, 0);

  /// How values become results, written down a second time.
  private enum Kind {
    COUNT(TestSerdes.LONG, Aggregation.count()) {
      @Override
      Object of(List<Object> values) {
        return (long) values.size();
      }
    },
    REDUCE(TestSerdes.STRING, Aggregation.reduce((a, b) -> a + "+" + b)) {
      @Override
      Object of(List<Object> values) {
        return String.join("+", values.stream().map(Object::toString).toList());
      }
    },
    FOLD(TestSerdes.CHANGING_LIST, Aggregation.fold(ArrayList::new, WindowOperatorTest::append)) {
      @Override
      Object of(List<Object> values) {
        return values;
      }
    };

    private final Serde<Object> serde;
    private final Aggregation aggregation;

    Kind(Serde<Object> serde, Aggregation aggregation) {
      this.serde = serde;
      this.aggregation = aggregation;
    }

    abstract Object of(List<Object> values);
  }

  @SuppressWarnings("unchecked")
  private static Object append(Object list, Object value) {
    ((List<Object>) list).add(value);
    return list;
  }

  @Test
  void everyBudgetAndBatchGivesWhatANaiveOracleGives() {
    for (long seed = 1; seed <= 6; seed++) {
      for (Kind kind : Kind.values()) {
        List<Event> events = events(new Random(seed), 60);
        Oracle oracle = new Oracle(kind, seed % 2 == 0 ? HOPPING : TEN).run(events);
        for (int budget = 1; budget <= 24; budget++) {
          for (int batch = 1; batch <= 9; batch++) {
            String run = "seed %d %s budget %d batch %d".formatted(seed, kind, budget, batch);
            check(run, oracle, bench(kind, oracle.windows).run(events, batch, budget));
            check(
                run + " reopening",
                oracle,
                bench(kind, oracle.windows).reopening().readingAhead().run(events, batch, budget));
          }
        }
      }
    }
  }

  private static void check(String run, Oracle oracle, Bench bench) {
    assertEquals(oracle.out, bench.out(), run);
    assertEquals(oracle.late, bench.late(), run);
    assertEquals(oracle.state.size(), bench.stored("w").size(), run);
  }

  @Test
  void retainedValuesAreHandedOverAsTheyCame() {
    for (long seed = 1; seed <= 12; seed++) {
      List<Event> events = events(new Random(seed), 60);
      // Of values of three kilobytes the second one fills a chunk.
      int padding = seed % 3 == 0 ? 3_000 : 0;
      events.replaceAll(event ->
          event instanceof Arrival(Row row)
              ? new Arrival(new Row(row.key(), row.value() + "x".repeat(padding), row.timestamp()))
              : event);
      Oracle oracle = new Oracle(Kind.FOLD, seed % 2 == 0 ? HOPPING : TEN).run(events);
      for (int budget : new int[] {1, 2, 5, 24}) {
        for (int batch : new int[] {1, 3, 9}) {
          String run = "seed %d budget %d batch %d".formatted(seed, budget, batch);
          check(run, oracle, retaining(oracle.windows).run(events, batch, budget));
          check(
              run + " reopening",
              oracle,
              retaining(oracle.windows).reopening().readingAhead().run(events, batch, budget));
        }
      }
      Bench last = retaining(oracle.windows).run(events, 4, 7);
      last.advance(Long.MAX_VALUE, 100);
      assertEquals(0, last.stored("w").size(), "seed " + seed);
      assertEquals(0, last.stored("w-chunks").size(), "seed " + seed);
    }
  }

  private static Bench retaining(FixedWindows windows) {
    return new Bench(
        WindowOperator.retaining(
            "w",
            windows,
            false,
            Bench.AT_THE_END,
            (_, values) -> values,
            TestSerdes.STRING,
            TestSerdes.STRING,
            () -> TestSerdes.STRING),
        TestSerdes.STRING);
  }

  private static Bench bench(Kind kind, FixedWindows windows) {
    return new Bench(
        WindowOperator.folding(
            "w", windows, Bench.AT_THE_END, kind.aggregation, TestSerdes.STRING, kind.serde),
        TestSerdes.STRING);
  }

  private static List<Event> events(Random random, int count) {
    List<Event> events = new ArrayList<>();
    long watermark = -40;
    for (int i = 0; i < count; i++) {
      if (random.nextInt(8) == 0) {
        watermark += random.nextInt(18);
        events.add(new Watermark(watermark));
      } else {
        String key = DrawnKeys.text(random.nextInt(4)) + "x".repeat(random.nextInt(2));
        long time = watermark - 6 + random.nextInt(40);
        events.add(new Arrival(new Row(Bytes.ofUtf8(key), "v" + i, time)));
      }
    }
    events.add(new Watermark(random.nextBoolean() ? watermark + 15 : Long.MAX_VALUE));
    return events;
  }

  /// Keeps every value and looks at all of them each time.
  private static final class Oracle {
    private final Kind kind;
    private final FixedWindows windows;
    private final TreeMap<Long, TreeMap<Bytes, List<Object>>> state = new TreeMap<>();
    private final List<Row> out = new ArrayList<>();
    private final List<Row> late = new ArrayList<>();

    Oracle(Kind kind, FixedWindows windows) {
      this.kind = kind;
      this.windows = windows;
    }

    Oracle run(List<Event> events) {
      long watermark = Long.MIN_VALUE;
      for (Event event : events) {
        switch (event) {
          case Arrival arrival -> arrive(arrival.row(), watermark);
          case Watermark moved -> {
            watermark = moved.time();
            close(watermark);
          }
        }
      }
      TreeMap<Long, TreeMap<Bytes, List<Object>>> left = new TreeMap<>(state);
      state.clear();
      left.forEach((start, keys) -> keys.forEach((key, values) -> flat(start, key, values)));
      return this;
    }

    /// One entry a key and window, so that the number of entries can be compared.
    private void flat(long start, Bytes key, List<Object> values) {
      state.put(start * 1000 + state.size(), new TreeMap<>(Map.of(key, values)));
    }

    private void arrive(Row row, long watermark) {
      boolean taken = false;
      // Every window whose start is a multiple and that holds the time.
      for (long start = row.timestamp() - 100; start <= row.timestamp(); start++) {
        boolean holds =
            Math.floorMod(start, windows.everyMillis()) == 0
                && start + windows.sizeMillis() > row.timestamp();
        if (holds && (watermark == Long.MIN_VALUE || start + windows.sizeMillis() > watermark)) {
          state
              .computeIfAbsent(start, _ -> new TreeMap<>())
              .computeIfAbsent(row.key(), _ -> new ArrayList<>())
              .add(row.value());
          taken = true;
        }
      }
      if (!taken) {
        late.add(row);
      }
    }

    private void close(long watermark) {
      while (!state.isEmpty() && state.firstKey() + windows.sizeMillis() <= watermark) {
        long start = state.firstKey();
        long end = start + windows.sizeMillis();
        Window window = new Window(Instant.ofEpochMilli(start), Instant.ofEpochMilli(end));
        state
            .remove(start)
            .forEach((key, values) ->
                out.add(
                    new Row(
                        key, new WindowResult<>(window, key.toUtf8(), kind.of(values)), end - 1)));
      }
    }
  }

  @Test
  void aFolderMeetsAtOnceWhatItsSerdeReadsBack() {
    Serde<Object> lists = TestSerdes.untyped(Serdes.listOf(Serdes.string()));
    Aggregation fold = Aggregation.fold(ArrayList::new, WindowOperatorTest::append);
    Bench bench =
        new Bench(
            WindowOperator.folding("w", TEN, Bench.AT_THE_END, fold, TestSerdes.STRING, lists),
            TestSerdes.STRING);
    Row row = new Row(Bytes.ofUtf8("k"), "v", 1);
    bench.process(List.of(row));
    assertThrows(UnsupportedOperationException.class, () -> bench.process(List.of(row)));
  }

  @Test
  void resultsOfViewsStandOnTheirOwn() {
    Serde<Object> views = TestSerdes.untyped(Serdes.view());
    Aggregation last = Aggregation.reduce((_, later) -> later);
    for (boolean reopening : new boolean[] {false, true}) {
      Bench bench =
          new Bench(WindowOperator.folding("w", TEN, Bench.AT_THE_END, last, views, views), views);
      bench = reopening ? bench.reopening() : bench;
      byte[] array = {1};
      for (byte key = 1; key <= 3; key++) {
        array[0] = (byte) (10 * key);
        bench.process(List.of(new Row(Bytes.of(new byte[] {key}), Bytes.of(array), 5)));
      }
      array[0] = 99;
      bench.advance(10, 2);
      Window window = new Window(Instant.ofEpochMilli(0), Instant.ofEpochMilli(10));
      for (byte key = 1; key <= 3; key++) {
        assertEquals(
            new WindowResult<>(
                window, Bytes.of(new byte[] {key}), Bytes.of(new byte[] {(byte) (10 * key)})),
            bench.out().get(key - 1).value());
      }
    }
  }

  @Test
  void aStepEmitsAtMostItsBudget() {
    for (int budget = 1; budget <= 8; budget++) {
      Bench bench = bench(Kind.COUNT, TEN);
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        rows.add(new Row(Bytes.ofUtf8("k" + i), "v", 3));
      }
      bench.process(rows);
      assertEquals((6 + budget - 1) / budget, bench.advance(10, budget), "budget " + budget);
      assertEquals(6, bench.out().size(), "budget " + budget);
    }
  }

  @Test
  void nothingIsReadAsLongAsNothingIsDue() {
    Bench bench = bench(Kind.COUNT, TEN);
    bench.process(List.of(new Row(Bytes.ofUtf8("a"), "v", 1000)));
    bench.advance(500, 10);
    int before = bench.stored("w").ranges();
    for (long watermark = 501; watermark < 1010; watermark++) {
      bench.advance(watermark, 10);
    }
    assertEquals(before, bench.stored("w").ranges());
    bench.advance(1010, 10);
    assertEquals(1, bench.out().size());
    int after = bench.stored("w").ranges();
    assertTrue(after > before);
    bench.advance(2000, 10);
    bench.advance(3000, 10);
    assertEquals(after, bench.stored("w").ranges());
  }

  @Test
  void aWindowEndsAtItsLastMillisecond() {
    Bench bench = bench(Kind.COUNT, TEN);
    bench.process(
        List.of(
            new Row(Bytes.ofUtf8("a"), "v", -1),
            new Row(Bytes.ofUtf8("a"), "v", 0),
            new Row(Bytes.ofUtf8("a"), "v", 9)));
    bench.advance(9, 10);
    assertEquals(List.of(-1L), bench.out().stream().map(Row::timestamp).toList());
    bench.advance(10, 10);
    assertEquals(List.of(-1L, 9L), bench.out().stream().map(Row::timestamp).toList());
    assertEquals(0, bench.stored("w").size());
  }

  @Test
  void aRowWithoutAKeyAndATimeBeyondAllWindowsAreBadInput() {
    Bench bench = bench(Kind.COUNT, TEN);
    assertThrows(
        IllegalArgumentException.class, () -> bench.process(List.of(new Row(null, "v", 1))));
    for (long time : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE / 2}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> bench.process(List.of(new Row(Bytes.ofUtf8("a"), "v", time))));
    }
    assertEquals(0, bench.stored("w").size());
  }

  @Test
  void theStoreTellsTheFormatOfTheKeysBehindTheBytes() {
    var strings =
        WindowOperator.folding(
            "w", TEN, Bench.AT_THE_END, Aggregation.count(), TestSerdes.STRING, TestSerdes.LONG);
    var longs =
        WindowOperator.folding(
            "w", TEN, Bench.AT_THE_END, Aggregation.count(), TestSerdes.LONG, TestSerdes.LONG);
    Serde<?> byString = strings.stores().getFirst().keySerde();
    Serde<?> byLong = longs.stores().getFirst().keySerde();
    assertEquals("time+string", byString.id());
    assertTrue(byString.canRead(byString.schema()));
    assertTrue(!byString.canRead(byLong.schema()) && !byLong.canRead(byString.schema()));
  }
}

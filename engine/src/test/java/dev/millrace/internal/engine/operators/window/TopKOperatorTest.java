package dev.millrace.internal.engine.operators.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.WindowedTable.Ranked;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
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
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TopKOperatorTest {
  private static final FixedWindows WINDOWS = new FixedWindows(10, 5, 0);

  @Test
  void everyBudgetAndBatchGivesWhatSortingEverythingGives() {
    for (long seed = 1; seed <= 10; seed++) {
      Random random = new Random(seed);
      int k = 1 + random.nextInt(6);
      List<Event> events = events(random);
      Oracle oracle = new Oracle(k).run(events);
      for (int budget = 1; budget <= 16; budget++) {
        for (int batch = 1; batch <= 6; batch++) {
          String run = "seed %d k %d budget %d batch %d".formatted(seed, k, budget, batch);
          check(run, oracle, bench(k).run(events, batch, budget));
          check(run + " reopening", oracle, bench(k).reopening().run(events, batch, budget));
        }
      }
    }
  }

  private static void check(String run, Oracle oracle, Bench bench) {
    assertEquals(oracle.out, bench.out(), run);
    assertEquals(oracle.late, bench.late(), run);
    assertEquals(oracle.results.size(), bench.stored("t").size(), run);
  }

  private static Bench bench(int k) {
    return new Bench(
        TopKOperator.declare("t", k, WINDOWS, TestSerdes.STRING, TestSerdes.LONG, null),
        TestSerdes.LONG);
  }

  private static List<Event> events(Random random) {
    List<Event> events = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    long watermark = 0;
    for (int i = 0; i < 60; i++) {
      if (random.nextInt(10) == 0) {
        watermark += random.nextInt(15);
        events.add(new Watermark(watermark));
      } else {
        long start = Math.floorDiv(watermark, 5) * 5 + 5L * (random.nextInt(6) - 2);
        String key = DrawnKeys.text(random.nextInt(30));
        // Each key has one result a window.
        if (!keys.contains(start + key)) {
          keys.add(start + key);
          events.add(new Arrival(result(start, key, (long) random.nextInt(4))));
        }
      }
    }
    events.add(new Watermark(random.nextBoolean() ? watermark + 8 : Long.MAX_VALUE));
    return events;
  }

  private static Row result(long start, String key, Object value) {
    return new Row(
        Bench.key(TestSerdes.LONG, start),
        new WindowResult<>(window(start), key, value),
        start + 9);
  }

  private static Window window(long start) {
    return new Window(Instant.ofEpochMilli(start), Instant.ofEpochMilli(start + 10));
  }

  /// Keeps every result and sorts when a window closes.
  private static final class Oracle {
    private final int k;
    private final TreeMap<Long, List<WindowResult<String, Long>>> results = new TreeMap<>();
    private final List<Row> out = new ArrayList<>();
    private final List<Row> late = new ArrayList<>();

    Oracle(int k) {
      this.k = k;
    }

    @SuppressWarnings("unchecked")
    Oracle run(List<Event> events) {
      long watermark = Long.MIN_VALUE;
      for (Event event : events) {
        switch (event) {
          case Arrival arrival -> {
            var result = (WindowResult<String, Long>) arrival.row().value();
            long start = result.window().start().toEpochMilli();
            if (watermark != Long.MIN_VALUE && start + 10 <= watermark) {
              late.add(arrival.row());
            } else {
              results.computeIfAbsent(start, _ -> new ArrayList<>()).add(result);
            }
          }
          case Watermark moved -> {
            watermark = moved.time();
            close(watermark);
          }
        }
      }
      return this;
    }

    private void close(long watermark) {
      while (!results.isEmpty() && results.firstKey() + 10 <= watermark) {
        long start = results.firstKey();
        List<WindowResult<String, Long>> all = results.remove(start);
        all.sort(
            Comparator.comparing((WindowResult<String, Long> result) -> -result.value())
                .thenComparing(result -> Bytes.ofUtf8(result.key())));
        for (int rank = 1; rank <= Math.min(k, all.size()); rank++) {
          WindowResult<String, Long> result = all.get(rank - 1);
          out.add(
              new Row(
                  null,
                  new Ranked<>(window(start), rank, result.key(), result.value()),
                  start + 9));
        }
      }
    }
  }

  @Test
  void ranksOfViewsStandOnTheirOwn() {
    Serde<Object> views = TestSerdes.untyped(Serdes.view());
    Bench bench =
        new Bench(TopKOperator.declare("t", 2, WINDOWS, views, views, null), TestSerdes.LONG)
            .reopening();
    byte[] array = {0};
    for (byte value = 1; value <= 3; value++) {
      array[0] = value;
      Bytes key = Bytes.of(new byte[] {(byte) (10 * value)});
      Object result = new WindowResult<>(window(0), key, Bytes.of(array));
      bench.process(List.of(new Row(Bench.key(TestSerdes.LONG, 0L), result, 9)));
    }
    array[0] = 99;
    bench.advance(10, 100);
    List<Object> ranked = bench.out().stream().map(Row::value).toList();
    assertEquals(
        List.of(
            new Ranked<>(window(0), 1, Bytes.of(new byte[] {30}), Bytes.of(new byte[] {3})),
            new Ranked<>(window(0), 2, Bytes.of(new byte[] {20}), Bytes.of(new byte[] {2}))),
        ranked);
  }

  @Test
  void aValueWithoutAnOrderIsBadInput() {
    Bench bench = bench(2);
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> bench.process(List.of(result(0, "k", new Object()))));
    assertEquals(
        "A value cannot be ranked because java.lang.Object is not Comparable.",
        refused.getMessage());
  }

  @Test
  void aStepEmitsAtMostItsBudgetAndGoesOnInTheMiddleOfAWindow() {
    for (int budget = 1; budget <= 8; budget++) {
      Bench bench = bench(5).reopening();
      for (int i = 0; i < 7; i++) {
        bench.process(List.of(result(0, "k" + i, (long) i)));
      }
      assertEquals((5 + budget - 1) / budget, bench.advance(10, budget), "budget " + budget);
      List<Object> ranks =
          bench.out().stream().map(row -> (Object) ((Ranked<?, ?>) row.value()).rank()).toList();
      assertEquals(List.of(1, 2, 3, 4, 5), ranks, "budget " + budget);
    }
  }
}

package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.window.WindowOperator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Values such as "7x" tell a size of seven milliseconds.
class SizedWindowsTest {
  private static final long LATENESS = 9;
  private static final SizedWindows WINDOWS = new SizedWindows(SizedWindowsTest::size, LATENESS);

  private static Object size(Object value) {
    return Duration.ofMillis(Long.parseLong(value.toString().substring(0, 1)));
  }

  private static Declaration counting() {
    return WindowOperator.folding(
        "w", WINDOWS, Bench.AT_THE_END, Aggregation.count(), TestSerdes.STRING, TestSerdes.LONG);
  }

  @Test
  void eachSizeHasWindowsOfItsOwn() {
    for (long seed = 1; seed <= 40; seed++) {
      for (int batch : new int[] {1, 4}) {
        for (int budget : new int[] {1, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            Bench bench = new Bench(counting(), TestSerdes.STRING);
            bench = reopening ? bench.reopening().readingAhead() : bench;
            drawn(seed, batch, budget, bench);
          }
        }
      }
    }
  }

  private static void drawn(long seed, int batch, int budget, Bench bench) {
    Random random = new Random(seed);
    Map<String, Long> counts = new TreeMap<>();
    Map<String, Long> ends = new TreeMap<>();
    List<Row> tooLate = new ArrayList<>();
    Map<String, Object> view = new TreeMap<>();
    int seen = 0;
    long watermark = Long.MIN_VALUE;
    for (int step = 0; step < 20; step++) {
      List<Row> rows = new ArrayList<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        long time = 10L * step - 25 + random.nextInt(40);
        long size = 1L + random.nextInt(9);
        String key = DrawnKeys.text(random.nextInt(2));
        Row row = new Row(Bytes.ofUtf8(key), size + "x", time);
        rows.add(row);
        long end = Math.floorDiv(time, size) * size + size;
        if (watermark != Long.MIN_VALUE && end + LATENESS <= watermark) {
          tooLate.add(row);
        } else {
          String place = key + " " + (end - size) + " " + end;
          counts.merge(place, 1L, Long::sum);
          ends.put(place, end);
        }
      }
      for (int from = 0; from < rows.size(); from += batch) {
        bench.process(rows.subList(from, Math.min(rows.size(), from + batch)));
      }
      watermark = step == 19 ? Long.MAX_VALUE : 10L * step;
      bench.advance(watermark, budget);
      for (; seen < bench.out().size(); seen++) {
        Row row = bench.out().get(seen);
        WindowResult<?, ?> result = (WindowResult<?, ?>) row.value();
        long start = result.window().start().toEpochMilli();
        long end = result.window().end().toEpochMilli();
        assertEquals(end - 1, row.timestamp());
        assertEquals(result.key(), row.key().toUtf8());
        String place = result.key() + " " + start + " " + end;
        if (row.retraction()) {
          assertEquals(view.remove(place), result.value());
        } else {
          assertNull(view.put(place, result.value()));
        }
      }
      Map<String, Object> expected = new TreeMap<>(counts);
      long closed = watermark;
      expected.keySet().removeIf(place -> ends.get(place) > closed);
      assertEquals(expected, view, "seed " + seed + " at " + watermark);
      assertEquals(tooLate, bench.late(), "seed " + seed);
    }
    assertEquals(0, bench.stored("w").size());
  }

  @Test
  void aSizeOfNothingIsBadInput() {
    Bench bench = new Bench(counting(), TestSerdes.STRING);
    assertThrows(
        IllegalArgumentException.class,
        () -> bench.process(List.of(new Row(Bytes.ofUtf8("k"), "0x", 5))));
  }
}

package dev.millrace.internal.engine.operators.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.DrawnKeys;
import dev.millrace.internal.engine.operators.TestSerdes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What was emitted and not taken back is, at every watermark, what a look at all rows gives.
class SlidingWindowOperatorTest {
  private static final String MARK = ",";

  @Test
  void eachRowHasAWindow() {
    for (long seed = 1; seed <= 80; seed++) {
      long lateness = seed % 3 == 0 ? 0 : 5 * (seed % 7);
      Declaration declared =
          SlidingWindowOperator.declare(
              "s",
              8,
              lateness,
              (_, values) -> sorted(values),
              TestSerdes.STRING,
              TestSerdes.STRING);
      for (int batch : new int[] {1, 3, 10}) {
        for (int budget : new int[] {1, 3, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            String run =
                "seed %d batch %d budget %d reopening %b".formatted(seed, batch, budget, reopening);
            Bench bench = new Bench(declared, TestSerdes.STRING);
            bench = reopening ? bench.reopening() : bench;
            new Drawn(run, new Random(seed), 8, lateness, bench).run(8, batch, budget);
          }
        }
      }
    }
  }

  /// Windows of some hundred rows, which are joined from parts, beside some with few rows.
  @Test
  void manyRowsAreJoinedFromParts() {
    for (long seed = 1; seed <= 60; seed++) {
      long lateness = seed % 3 == 0 ? 0 : 9 * (seed % 7);
      long size = 40 + seed;
      Declaration declared =
          SlidingWindowOperator.folding(
              "s",
              size,
              lateness,
              new SlidingWindowOperator.Folded(
                  (_, values) -> sorted(values),
                  new Aggregation.Fold(
                      () -> "",
                      SlidingWindowOperatorTest::with,
                      SlidingWindowOperatorTest::with,
                      SlidingWindowOperatorTest::without),
                  true,
                  TestSerdes.STRING),
              TestSerdes.STRING,
              TestSerdes.STRING);
      boolean reopening = seed % 2 == 0;
      String run = "seed %d reopening %b".formatted(seed, reopening);
      Bench bench = new Bench(declared, TestSerdes.STRING);
      bench = reopening ? bench.reopening() : bench;
      int many = seed % 4 == 0 ? 8 : 60;
      new Drawn(run, new Random(seed), size, lateness, bench)
          .run(many, seed % 5 == 0 ? 1 : 20, seed % 7 == 0 ? 1 : 100);
      assertEquals(0, bench.stored("s-parts").size(), run);
    }
  }

  private static Object with(Object list, Object value) {
    return list.equals("") ? value : sorted(List.of((list + MARK + value).split(MARK)));
  }

  private static Object without(Object list, Object value) {
    List<Object> rest = new ArrayList<>(List.of(list.toString().split(MARK)));
    assertTrue(rest.remove(value));
    return sorted(rest);
  }

  private static Object sorted(List<?> values) {
    return values.stream().map(Object::toString).sorted().collect(Collectors.joining(MARK));
  }

  private static final class Drawn {
    private final String run;
    private final Random random;
    private final long size;
    private final long lateness;
    private final Bench bench;
    private final List<Row> rows = new ArrayList<>();
    private final List<Row> tooLate = new ArrayList<>();
    private final Map<String, Object> view = new TreeMap<>();

    /// Results that nothing changes any more.
    private final Map<String, Object> frozen = new TreeMap<>();

    private long watermark = Long.MIN_VALUE;
    private long frozenUpTo = Long.MIN_VALUE;
    private int seen;

    Drawn(String run, Random random, long size, long lateness, Bench bench) {
      this.run = run;
      this.random = random;
      this.size = size;
      this.lateness = lateness;
      this.bench = bench;
    }

    void run(int many, int batch, int budget) {
      bench.drive(random, many, batch, budget, this::row, this::check);
      for (String store : List.of("s", "s-times")) {
        assertEquals(0, bench.stored(store).size(), run + " " + store);
      }
    }

    private Row row(long around) {
      if (!rows.isEmpty() && random.nextInt(4) == 0) {
        Row row = rows.get(random.nextInt(rows.size()));
        Row back = new Row(row.key(), row.value(), row.timestamp(), true);
        if (tooLate(row)) {
          tooLate.add(back);
        } else {
          rows.remove(row);
        }
        return back;
      }
      long time = around - 30 + random.nextInt(45);
      Row row =
          new Row(Bytes.ofUtf8(DrawnKeys.text(random.nextInt(2))), "v" + random.nextInt(3), time);
      if (tooLate(row)) {
        tooLate.add(row);
      } else {
        rows.add(row);
      }
      return row;
    }

    /// Whether no window that may hold the row can be changed any more.
    private boolean tooLate(Row row) {
      return watermark != Long.MIN_VALUE && row.timestamp() + size + lateness <= watermark;
    }

    private void check(long now) {
      watermark = now;
      for (; seen < bench.out().size(); seen++) {
        Row row = bench.out().get(seen);
        WindowResult<?, ?> result = (WindowResult<?, ?>) row.value();
        long end = result.window().end().toEpochMilli();
        assertEquals(end - size, result.window().start().toEpochMilli(), run);
        assertEquals(end - 1, row.timestamp(), run);
        String place = result.key() + " " + row.timestamp();
        if (row.retraction()) {
          assertEquals(view.remove(place), result.value(), run + " takes back " + place);
        } else {
          assertNull(view.put(place, result.value()), run + " has two results at " + place);
        }
      }
      Map<String, Object> expected = new TreeMap<>(frozen);
      for (Row row : rows) {
        long last = row.timestamp();
        String place = row.key().toUtf8() + " " + last;
        boolean settledBefore = frozenBefore(last);
        if (last < watermark && !settledBefore) {
          List<Object> values = new ArrayList<>();
          for (Row other : rows) {
            boolean holds = other.timestamp() > last - size && other.timestamp() <= last;
            if (holds && other.key().equals(row.key())) {
              values.add(other.value());
            }
          }
          expected.put(place, sorted(values));
        }
      }
      assertEquals(expected, view, run + " at " + watermark);
      assertEquals(tooLate, bench.late(), run);
      expected.forEach((place, result) -> {
        long last = Long.parseLong(place.substring(place.indexOf(' ') + 1));
        if (last + 1 + lateness <= watermark) {
          frozen.put(place, result);
        }
      });
      frozenUpTo = watermark;
    }

    /// Whether the window that ends with a time could not be changed any more at the last look.
    private boolean frozenBefore(long last) {
      return frozenUpTo != Long.MIN_VALUE && last + 1 + lateness <= frozenUpTo;
    }
  }
}

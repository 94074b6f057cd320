package dev.millrace.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.engine.operators.Bench.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What was emitted and not taken back is, at every watermark, what a look at all rows gives.
class SlidingWindowOperatorTest {
  private static final long SIZE = 8;

  @Test
  void eachRowHasAWindow() {
    for (long seed = 1; seed <= 80; seed++) {
      long lateness = seed % 3 == 0 ? 0 : 5 * (seed % 7);
      for (int batch : new int[] {1, 3, 10}) {
        for (int budget : new int[] {1, 3, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            String run =
                "seed %d batch %d budget %d reopening %b".formatted(seed, batch, budget, reopening);
            Declaration declared =
                SlidingWindowOperator.declare(
                    "s",
                    SIZE,
                    lateness,
                    (_, values) -> sorted(values),
                    TestSerdes.STRING,
                    TestSerdes.STRING);
            Bench bench = new Bench(declared, TestSerdes.STRING);
            bench = reopening ? bench.reopening() : bench;
            new Drawn(run, new Random(seed), lateness, bench).run(batch, budget);
          }
        }
      }
    }
  }

  private static List<Object> sorted(List<Object> values) {
    return values.stream().sorted(Comparator.comparing(Object::toString)).toList();
  }

  private static final class Drawn {
    private final String run;
    private final Random random;
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

    Drawn(String run, Random random, long lateness, Bench bench) {
      this.run = run;
      this.random = random;
      this.lateness = lateness;
      this.bench = bench;
    }

    void run(int batch, int budget) {
      bench.drive(random, batch, budget, this::row, this::check);
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
      Row row = new Row(Bytes.ofUtf8("k" + random.nextInt(2)), "v" + random.nextInt(3), time);
      if (tooLate(row)) {
        tooLate.add(row);
      } else {
        rows.add(row);
      }
      return row;
    }

    /// Whether no window that may hold the row can be changed any more.
    private boolean tooLate(Row row) {
      return watermark != Long.MIN_VALUE && row.timestamp() + SIZE + lateness <= watermark;
    }

    private void check(long now) {
      watermark = now;
      for (; seen < bench.out().size(); seen++) {
        Row row = bench.out().get(seen);
        WindowResult<?, ?> result = (WindowResult<?, ?>) row.value();
        long end = result.window().end().toEpochMilli();
        assertEquals(end - SIZE, result.window().start().toEpochMilli(), run);
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
            boolean holds = other.timestamp() > last - SIZE && other.timestamp() <= last;
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

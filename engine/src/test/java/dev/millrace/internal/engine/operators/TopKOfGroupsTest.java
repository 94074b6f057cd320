package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.WindowedTable.Ranked;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.window.CorrectedTopKOperator;
import dev.millrace.internal.engine.operators.window.TopKOperator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Rankings of which each group has its own: at every watermark, what was emitted and not taken
/// back is what sorting all results of each window and group gives.
class TopKOfGroupsTest {
  /// One is empty, and one begins with another.
  private static final List<String> GROUPS = List.of("", "a", "ab", "b");

  private static final int SIZE = 10;

  /// What a key has in a window.
  private record Result(String group, String key, long value) {}

  @Test
  void everyGroupHasItsOwnRanking() {
    for (long seed = 1; seed <= 30; seed++) {
      for (int batch : new int[] {1, 2, 7}) {
        for (int budget : new int[] {1, 2, 3, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            String run =
                "seed %d batch %d budget %d reopening %b".formatted(seed, batch, budget, reopening);
            new Job(run, new Random(seed), 0, reopening).run(batch, budget);
            new Job(run + " corrected", new Random(seed), 40, reopening).run(batch, budget);
          }
        }
      }
    }
  }

  private static final class Job {
    private final String run;
    private final Random random;
    private final long lateness;
    private final int k;
    private final Bench bench;

    /// By the start of their window.
    private final TreeMap<Long, TreeMap<String, Result>> results = new TreeMap<>();

    /// By window, group and rank, the key and its value.
    private final TreeMap<String, String> view = new TreeMap<>();

    private int seen;

    Job(String run, Random random, long lateness, boolean reopening) {
      this.run = run;
      this.random = random;
      this.lateness = lateness;
      k = 1 + random.nextInt(4);
      FixedWindows windows = new FixedWindows(SIZE, SIZE, lateness);
      Declaration declared =
          lateness > 0
              ? CorrectedTopKOperator.declare(
                  "t", k, windows, TestSerdes.STRING, TestSerdes.LONG, TestSerdes.STRING)
              : TopKOperator.declare(
                  "t", k, windows, TestSerdes.STRING, TestSerdes.LONG, TestSerdes.STRING);
      Bench made = new Bench(declared, TestSerdes.STRING);
      bench = reopening ? made.reopening() : made;
    }

    void run(int batch, int budget) {
      long watermark = 0;
      for (int step = 0; step < 15; step++) {
        List<Row> rows = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
          rows.addAll(change(watermark));
        }
        for (int from = 0; from < rows.size(); from += batch) {
          bench.process(rows.subList(from, Math.min(rows.size(), from + batch)));
        }
        watermark += random.nextInt(12);
        check(watermark, budget);
      }
      check(Long.MAX_VALUE, budget);
      assertEquals(0, bench.stored("t").size(), run);
      if (lateness > 0) {
        assertEquals(0, bench.stored("t-results").size(), run);
      }
    }

    private void check(long watermark, int budget) {
      bench.advance(watermark, budget);
      look();
      assertEquals(expected(watermark), view, run + " at " + watermark);
    }

    /// A new result, or one that takes the place of another, perhaps in another group.
    private List<Row> change(long watermark) {
      // The first window that is not gone, and those behind it.
      long first = Math.floorDiv(watermark - lateness, SIZE) * SIZE;
      long start = first + SIZE * random.nextInt(lateness > 0 ? 6 : 3);
      String key = DrawnKeys.text(random.nextInt(12));
      TreeMap<String, Result> all = results.computeIfAbsent(start, _ -> new TreeMap<>());
      Result old = all.get(key);
      List<Row> rows = new ArrayList<>();
      if (old != null && lateness == 0) {
        return rows; // final
      }
      if (old != null) {
        rows.add(row(start, old, true));
        all.remove(key);
      }
      if (old == null || random.nextBoolean()) {
        Result result =
            new Result(GROUPS.get(random.nextInt(GROUPS.size())), key, random.nextInt(5));
        rows.add(row(start, result, false));
        all.put(key, result);
      }
      return rows;
    }

    private static Row row(long start, Result result, boolean retraction) {
      return new Row(
          Bytes.ofUtf8(result.group()),
          new WindowResult<>(window(start), result.key(), result.value()),
          start + SIZE - 1,
          retraction);
    }

    private static Window window(long start) {
      return new Window(Instant.ofEpochMilli(start), Instant.ofEpochMilli(start + SIZE));
    }

    private void look() {
      for (; seen < bench.out().size(); seen++) {
        Row row = bench.out().get(seen);
        Ranked<?, ?> ranked = (Ranked<?, ?>) row.value();
        long start = ranked.window().start().toEpochMilli();
        assertEquals(start + SIZE - 1, row.timestamp(), run);
        String place =
            start + " '" + (row.key() == null ? null : row.key().toUtf8()) + "' " + ranked.rank();
        String value = ranked.key() + "=" + ranked.value();
        if (row.retraction()) {
          assertEquals(view.remove(place), value, run + " takes back " + place);
        } else {
          assertNull(view.put(place, value), run + " has two results at " + place);
        }
      }
    }

    private Map<String, String> expected(long watermark) {
      Map<String, String> expected = new TreeMap<>();
      results.forEach((start, all) -> {
        if (start + SIZE <= watermark) {
          GROUPS.forEach(group -> {
            List<Result> sorted = new ArrayList<>(all.values());
            sorted.removeIf(result -> !result.group().equals(group));
            sorted.sort(
                Comparator.comparingLong(Result::value)
                    .reversed()
                    .thenComparing(result -> Bytes.ofUtf8(result.key())));
            for (int i = 0; i < Math.min(k, sorted.size()); i++) {
              Result result = sorted.get(i);
              expected.put(
                  start + " '" + group + "' " + (i + 1), result.key() + "=" + result.value());
            }
          });
        }
      });
      return expected;
    }
  }
}

package dev.millrace.internal.engine.operators.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.DrawnKeys;
import dev.millrace.internal.engine.operators.TestSerdes;
import dev.millrace.internal.engine.operators.rows.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Each row has, at every watermark behind it, what the table had at its time, by all versions that
/// came while the row was kept and were not taken back.
class AsOfJoinOperatorTest {

  @Test
  void rowsSeeTheTableAsItWas() {
    check(0);
  }

  @Test
  void rowsSeeTheTableAsItWasWhereVersionsAreTakenBack() {
    check(5);
    check(40);
  }

  private static void check(long takenBack) {
    for (long seed = 1; seed <= 40; seed++) {
      long lateness = 7 * (seed % 4);
      for (int batch : new int[] {1, 3, 10}) {
        for (int budget : new int[] {1, 4, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            String run =
                "seed %d batch %d budget %d reopening %b taken back for %d"
                    .formatted(seed, batch, budget, reopening, takenBack);
            Bench bench =
                new Bench(
                    AsOfJoinOperator.declare(
                        "j",
                        new AsOfJoinOperator.Lateness(lateness, takenBack),
                        TestSerdes.STRING,
                        List.of(TestSerdes.STRING, TestSerdes.STRING),
                        (left, right) -> left + "&" + right),
                    TestSerdes.STRING);
            bench = reopening ? bench.reopening() : bench;
            new Join(run, new Random(seed), lateness, takenBack, bench).run(batch, budget);
          }
        }
      }
    }
  }

  private static final class Join {
    private final String run;
    private final Random random;
    private final long lateness;
    private final long takenBack;
    private final Bench bench;
    private final List<Row> rows = new ArrayList<>();

    /// By key and time, what came, in that order; null for nothing.
    private final TreeMap<String, TreeMap<Long, List<@Nullable String>>> versions = new TreeMap<>();

    private final List<Row> tooLate = new ArrayList<>();
    private final TreeMap<String, Integer> frozen = new TreeMap<>();
    private final List<String> view = new ArrayList<>();
    private long watermark = Long.MIN_VALUE;
    private int seen;

    Join(String run, Random random, long lateness, long takenBack, Bench bench) {
      this.run = run;
      this.random = random;
      this.lateness = lateness;
      this.takenBack = takenBack;
      this.bench = bench;
    }

    void run(int batch, int budget) {
      long next = 0;
      for (int step = 0; step < 15; step++) {
        for (int part = random.nextInt(4); part > 0; part--) {
          int side = random.nextInt(2);
          List<Row> sent = new ArrayList<>();
          for (int i = random.nextInt(6); i > 0; i--) {
            sent.add(side == 0 ? row(next) : version(next));
          }
          for (int from = 0; from < sent.size(); from += batch) {
            bench.process(side, sent.subList(from, Math.min(sent.size(), from + batch)));
          }
        }
        next += random.nextInt(10);
        bench.advance(next, budget);
        watermark = next;
        check();
      }
      bench.advance(Long.MAX_VALUE, budget);
      watermark = Long.MAX_VALUE;
      check();
      assertEquals(0, bench.stored("j").size(), run);
      assertEquals(0, bench.stored("j-times").size(), run);
      assertEquals(0, bench.stored("j-versions-times").size(), run);
      long keys = versions.values().stream().filter(all -> !all.isEmpty()).count();
      assertEquals(keys, bench.stored("j-versions").size(), run);
    }

    private boolean gone(long time) {
      return watermark != Long.MIN_VALUE && time < watermark - lateness;
    }

    /// Whether all that may ask for a version have later times.
    private boolean replaced(long time) {
      return watermark != Long.MIN_VALUE && time < watermark - Math.max(lateness, takenBack);
    }

    private Row row(long around) {
      if (!rows.isEmpty() && random.nextInt(4) == 0) {
        Row row = rows.get(random.nextInt(rows.size()));
        rows.remove(row);
        return new Row(row.key(), row.value(), row.timestamp(), true);
      }
      long time = around - 15 + random.nextInt(30);
      Row row =
          new Row(Bytes.ofUtf8(DrawnKeys.text(random.nextInt(2))), "r" + random.nextInt(3), time);
      if (gone(time)) {
        tooLate.add(row);
      } else {
        rows.add(row);
      }
      return row;
    }

    private Row version(long around) {
      String key = DrawnKeys.text(random.nextInt(2));
      TreeMap<Long, List<@Nullable String>> all =
          versions.computeIfAbsent(key, _ -> new TreeMap<>());
      List<Long> may = all.keySet().stream().filter(time -> !replaced(time)).toList();
      if (takenBack > 0 && !may.isEmpty() && random.nextInt(3) == 0) {
        return takeBack(key, may.get(random.nextInt(may.size())), all);
      }
      long time = around - 25 + random.nextInt(35);
      String value = random.nextInt(4) == 0 ? null : "t" + random.nextInt(3);
      Row row = new Row(Bytes.ofUtf8(key), new Version(value), time);
      Long newer = all.higherKey(time);
      if (newer != null && replaced(newer)) {
        tooLate.add(row);
        return row;
      }
      List<@Nullable String> then = all.computeIfAbsent(time, _ -> new ArrayList<>());
      if (takenBack == 0) {
        then.clear();
      }
      then.add(value);
      return row;
    }

    private Row takeBack(String key, long time, TreeMap<Long, List<@Nullable String>> all) {
      List<@Nullable String> then = all.get(time);
      String value = then.get(random.nextInt(then.size()));
      then.remove(value); // the first that is alike
      if (then.isEmpty()) {
        all.remove(time);
      }
      return new Row(Bytes.ofUtf8(key), new Version(value), time, true);
    }

    private void check() {
      for (; seen < bench.out().size(); seen++) {
        Row row = bench.out().get(seen);
        String text = text(row.key(), row.value(), row.timestamp());
        if (row.retraction()) {
          assertTrue(view.remove(text), run + " takes back " + text);
        } else {
          view.add(text);
        }
      }
      TreeMap<String, Integer> expected = new TreeMap<>(frozen);
      for (Row row : List.copyOf(rows)) {
        if (row.timestamp() < watermark) {
          var version =
              versions
                  .getOrDefault(row.key().toUtf8(), new TreeMap<>())
                  .floorEntry(row.timestamp());
          String value =
              row.value() + "&" + (version == null ? null : version.getValue().getLast());
          String text = text(row.key(), value, row.timestamp());
          expected.merge(text, 1, Integer::sum);
          if (gone(row.timestamp())) {
            frozen.merge(text, 1, Integer::sum);
            rows.remove(row);
          }
        }
      }
      versions.values().forEach(this::forget);
      TreeMap<String, Integer> found = new TreeMap<>();
      view.forEach(text -> found.merge(text, 1, Integer::sum));
      assertEquals(expected, found, run + " at " + watermark);
      assertEquals(tooLate, bench.late(), run);
    }

    /// Of the versions before all rows that may come only the last is known, if it is no deletion.
    private void forget(TreeMap<Long, List<@Nullable String>> all) {
      while (all.size() > 1 && replaced(all.higherKey(all.firstKey()))) {
        all.pollFirstEntry();
      }
      if (!all.isEmpty() && replaced(all.firstKey())) {
        List<@Nullable String> first = all.firstEntry().getValue();
        first.subList(0, first.size() - 1).clear();
        if (first.getFirst() == null) {
          all.pollFirstEntry();
        }
      }
    }

    private static String text(Bytes key, Object value, long time) {
      return key.toUtf8() + " " + value + " @" + time;
    }
  }
}

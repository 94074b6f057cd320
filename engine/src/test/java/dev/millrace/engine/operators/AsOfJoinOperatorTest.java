package dev.millrace.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.engine.operators.Bench.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Each row has, at every watermark behind it, what the table had at its time, by all changes that
/// came while the row was kept.
class AsOfJoinOperatorTest {

  @Test
  void rowsSeeTheTableAsItWas() {
    for (long seed = 1; seed <= 60; seed++) {
      long lateness = 7 * (seed % 4);
      for (int batch : new int[] {1, 3, 10}) {
        for (int budget : new int[] {1, 4, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            String run =
                "seed %d batch %d budget %d reopening %b".formatted(seed, batch, budget, reopening);
            Bench bench =
                new Bench(
                    AsOfJoinOperator.declare(
                        "j",
                        lateness,
                        TestSerdes.STRING,
                        List.of(TestSerdes.STRING, TestSerdes.STRING),
                        (left, right) -> left + "&" + right),
                    TestSerdes.STRING);
            bench = reopening ? bench.reopening() : bench;
            new Join(run, new Random(seed), lateness, bench).run(batch, budget);
          }
        }
      }
    }
  }

  private static final class Join {
    private final String run;
    private final Random random;
    private final long lateness;
    private final Bench bench;
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, TreeMap<Long, String>> changes = new TreeMap<>();
    private final List<Row> tooLate = new ArrayList<>();
    private final TreeMap<String, Integer> frozen = new TreeMap<>();
    private final List<String> view = new ArrayList<>();
    private long watermark = Long.MIN_VALUE;
    private int seen;

    Join(String run, Random random, long lateness, Bench bench) {
      this.run = run;
      this.random = random;
      this.lateness = lateness;
      this.bench = bench;
    }

    void run(int batch, int budget) {
      long next = 0;
      for (int step = 0; step < 15; step++) {
        for (int part = random.nextInt(4); part > 0; part--) {
          int side = random.nextInt(2);
          List<Row> sent = new ArrayList<>();
          for (int i = random.nextInt(6); i > 0; i--) {
            sent.add(side == 0 ? row(next) : change(next));
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
      long keys = changes.values().stream().filter(all -> !all.isEmpty()).count();
      assertEquals(keys, bench.stored("j-versions").size(), run);
    }

    private boolean gone(long time) {
      return watermark != Long.MIN_VALUE && time < watermark - lateness;
    }

    private Row row(long around) {
      if (!rows.isEmpty() && random.nextInt(4) == 0) {
        Row row = rows.get(random.nextInt(rows.size()));
        rows.remove(row);
        return new Row(row.key(), row.value(), row.timestamp(), true);
      }
      long time = around - 15 + random.nextInt(30);
      Row row = new Row(Bytes.ofUtf8("k" + random.nextInt(2)), "r" + random.nextInt(3), time);
      if (gone(time)) {
        tooLate.add(row);
      } else {
        rows.add(row);
      }
      return row;
    }

    private Row change(long around) {
      String key = "k" + random.nextInt(2);
      long time = around - 25 + random.nextInt(35);
      boolean deletes = random.nextInt(4) == 0;
      String value = "t" + random.nextInt(3);
      TreeMap<Long, String> all = changes.computeIfAbsent(key, _ -> new TreeMap<>());
      Long newer = all.higherKey(time);
      if (newer == null || !gone(newer)) {
        all.put(time, deletes ? null : value);
      }
      return new Row(Bytes.ofUtf8(key), value, time, deletes);
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
          Map.Entry<Long, String> version =
              changes.getOrDefault(row.key().toUtf8(), new TreeMap<>()).floorEntry(row.timestamp());
          String value = row.value() + "&" + (version == null ? null : version.getValue());
          String text = text(row.key(), value, row.timestamp());
          expected.merge(text, 1, Integer::sum);
          if (gone(row.timestamp())) {
            frozen.merge(text, 1, Integer::sum);
            rows.remove(row);
          }
        }
      }
      changes.values().forEach(this::forget);
      TreeMap<String, Integer> found = new TreeMap<>();
      view.forEach(text -> found.merge(text, 1, Integer::sum));
      assertEquals(expected, found, run + " at " + watermark);
      assertEquals(tooLate, bench.late(), run);
    }

    /// Of the versions before all rows that may come only the last is known, if it is no deletion.
    private void forget(TreeMap<Long, String> versions) {
      while (versions.size() > 1 && gone(versions.higherKey(versions.firstKey()))) {
        versions.pollFirstEntry();
      }
      if (!versions.isEmpty()
          && gone(versions.firstKey())
          && versions.firstEntry().getValue() == null) {
        versions.pollFirstEntry();
      }
    }

    private static String text(Bytes key, Object value, long time) {
      return key.toUtf8() + " " + value + " @" + time;
    }
  }
}

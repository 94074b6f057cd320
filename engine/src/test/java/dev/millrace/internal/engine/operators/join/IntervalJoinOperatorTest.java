package dev.millrace.internal.engine.operators.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.DrawnKeys;
import dev.millrace.internal.engine.operators.TestSerdes;
import dev.millrace.internal.engine.operators.join.IntervalJoinOperator.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What was emitted and not taken back is, at every watermark, what two loops over all rows give.
class IntervalJoinOperatorTest {

  @Test
  void everyKindOfJoinIsWhatTwoLoopsGive() {
    for (long seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      long before = random.nextLong(15) - 3;
      long after = random.nextLong(15) + Math.max(0, -before);
      Interval interval =
          new Interval(
              before, after, 5 * random.nextLong(5), random.nextBoolean(), random.nextBoolean());
      for (int batch : new int[] {1, 3, 10}) {
        for (int budget : new int[] {1, 4, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            String run =
                "seed %d %s batch %d budget %d reopening %b"
                    .formatted(seed, interval, batch, budget, reopening);
            Bench bench = bench(interval);
            bench = reopening ? bench.reopening() : bench;
            new Join(run, new Random(seed), interval, bench).run(batch, budget);
          }
        }
      }
    }
  }

  private static Bench bench(Interval interval) {
    return new Bench(
        IntervalJoinOperator.declare(
            "j",
            interval,
            0,
            TestSerdes.STRING,
            List.of(TestSerdes.STRING, TestSerdes.STRING),
            IntervalJoinOperatorTest::joined),
        TestSerdes.STRING);
  }

  /// Nothing for some pairs and for some rows without a partner.
  private static Object joined(Object left, Object right) {
    String both = left + "&" + right;
    return both.contains("5.1") ? null : both;
  }

  private static final class Join {
    private final String run;
    private final Random random;
    private final Interval interval;
    private final Bench bench;
    private final List<List<Row>> sides = List.of(new ArrayList<>(), new ArrayList<>());
    private final List<Row> tooLate = new ArrayList<>();
    private final List<String> view = new ArrayList<>();
    private long watermark = Long.MIN_VALUE;
    private int seen;

    Join(String run, Random random, Interval interval, Bench bench) {
      this.run = run;
      this.random = random;
      this.interval = interval;
      this.bench = bench;
    }

    void run(int batch, int budget) {
      long next = 0;
      for (int step = 0; step < 15; step++) {
        for (int part = random.nextInt(4); part > 0; part--) {
          int side = random.nextInt(2);
          List<Row> rows = new ArrayList<>();
          for (int i = random.nextInt(6); i > 0; i--) {
            rows.add(row(side, next));
          }
          for (int from = 0; from < rows.size(); from += batch) {
            bench.process(side, rows.subList(from, Math.min(rows.size(), from + batch)));
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
      for (String store : List.of("j-1", "j-2", "j-1-times", "j-2-times")) {
        assertEquals(0, bench.stored(store).size(), run + " " + store);
      }
    }

    private Row row(int side, long around) {
      List<Row> known = sides.get(side);
      if (!known.isEmpty() && random.nextInt(4) == 0) {
        Row row = known.get(random.nextInt(known.size()));
        Row back = new Row(row.key(), row.value(), row.timestamp(), true);
        if (late(row.timestamp())) {
          tooLate.add(back);
        } else {
          known.remove(row);
        }
        return back;
      }
      String key = DrawnKeys.text(random.nextInt(2));
      long time = around - 15 + random.nextInt(30);
      Row row =
          new Row(
              Bytes.ofUtf8(key), (side == 0 ? "l" : "r") + time + "." + random.nextInt(2), time);
      if (late(time)) {
        tooLate.add(row);
      } else {
        known.add(row);
      }
      return row;
    }

    private boolean late(long time) {
      return watermark != Long.MIN_VALUE && time < watermark - interval.latenessMillis();
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
      assertEquals(counted(expected()), counted(view), run + " at " + watermark);
      assertEquals(tooLate, bench.late(), run);
    }

    private static TreeMap<String, Integer> counted(List<String> texts) {
      TreeMap<String, Integer> counted = new TreeMap<>();
      texts.forEach(text -> counted.merge(text, 1, Integer::sum));
      return counted;
    }

    private static String text(Bytes key, Object value, long time) {
      return key.toUtf8() + " " + value + " @" + time;
    }

    private List<String> expected() {
      List<String> expected = new ArrayList<>();
      for (Row left : sides.get(0)) {
        for (Row right : sides.get(1)) {
          if (partners(left, right) && joined(left.value(), right.value()) != null) {
            expected.add(
                text(
                    left.key(),
                    left.value() + "&" + right.value(),
                    Math.max(left.timestamp(), right.timestamp())));
          }
        }
      }
      if (interval.keepsLeft()) {
        for (Row left : sides.get(0)) {
          long last = Math.max(left.timestamp(), left.timestamp() + interval.afterMillis());
          if (last < watermark
              && joined(left.value(), null) != null
              && sides.get(1).stream().noneMatch(r -> partners(left, r))) {
            expected.add(text(left.key(), left.value() + "&null", last));
          }
        }
      }
      if (interval.keepsRight()) {
        for (Row right : sides.get(1)) {
          long last = Math.max(right.timestamp(), right.timestamp() + interval.beforeMillis());
          if (last < watermark
              && joined(null, right.value()) != null
              && sides.get(0).stream().noneMatch(l -> partners(l, right))) {
            expected.add(text(right.key(), "null&" + right.value(), last));
          }
        }
      }
      return expected;
    }

    private boolean partners(Row left, Row right) {
      return left.key().equals(right.key())
          && right.timestamp() >= left.timestamp() - interval.beforeMillis()
          && right.timestamp() <= left.timestamp() + interval.afterMillis();
    }
  }

  @Test
  void takingBackWhatNeverCameIsBadInput() {
    Bench bench = bench(new Interval(5, 5, 0, true, true));
    assertThrows(
        IllegalStateException.class,
        () -> bench.process(1, List.of(new Row(Bytes.ofUtf8("k"), "a", 1, true))));
  }
}

package dev.millrace.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.engine.operators.Bench.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// What tables have emitted and not taken back is, behind every batch, what their sides have.
class TableJoinOperatorTest {

  @Test
  void innerLeftAndOuterJoins() {
    for (long seed = 1; seed <= 40; seed++) {
      for (int batch : new int[] {1, 2, 7}) {
        for (boolean reopening : new boolean[] {false, true}) {
          for (int needed = 0; needed < 4; needed++) {
            String run =
                "seed %d batch %d reopening %b needed %d".formatted(seed, batch, reopening, needed);
            Bench bench = new Bench(join(needed), TestSerdes.STRING);
            bench = reopening ? bench.reopening() : bench;
            run(run, new Random(seed), needed, bench, batch);
          }
        }
      }
    }
  }

  private static Declaration join(int needed) {
    return TableJoinOperator.declare(
        "j",
        TestSerdes.STRING,
        List.of(TestSerdes.STRING, TestSerdes.STRING),
        values -> result(needed, values[0], values[1]));
  }

  private static Object result(int needed, Object left, Object right) {
    boolean none =
        (left == null && right == null)
            || ((needed & 1) != 0 && left == null)
            || ((needed & 2) != 0 && right == null);
    return none ? null : left + "&" + right;
  }

  private static void run(String run, Random random, int needed, Bench bench, int batch) {
    List<TreeMap<String, String>> sides = List.of(new TreeMap<>(), new TreeMap<>());
    Map<String, Object> view = new TreeMap<>();
    int seen = 0;
    for (int step = 0; step < 40; step++) {
      int side = random.nextInt(2);
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < batch; i++) {
        change(random, sides.get(side), rows);
      }
      bench.process(side, rows);
      for (; seen < bench.out().size(); seen++) {
        Row row = bench.out().get(seen);
        if (row.retraction()) {
          assertEquals(view.remove(row.key().toUtf8()), row.value(), run);
        } else {
          assertNull(view.put(row.key().toUtf8(), row.value()), run);
        }
      }
      Map<String, Object> expected = new TreeMap<>();
      TreeSet<String> keys = new TreeSet<>(sides.get(0).keySet());
      keys.addAll(sides.get(1).keySet());
      for (String key : keys) {
        Object result = result(needed, sides.get(0).get(key), sides.get(1).get(key));
        if (result != null) {
          expected.put(key, result);
        }
      }
      assertEquals(expected, view, run);
    }
  }

  private static void change(Random random, Map<String, String> side, List<Row> rows) {
    String key = "k" + random.nextInt(4);
    String old = side.remove(key);
    if (old != null) {
      rows.add(new Row(Bytes.ofUtf8(key), old, 1, true));
    }
    if (old == null || random.nextInt(3) > 0) {
      String value = "v" + random.nextInt(3);
      side.put(key, value);
      rows.add(new Row(Bytes.ofUtf8(key), value, 1));
    }
  }

  @Test
  void takingBackWhatNeverCameIsBadInput() {
    Bench bench = new Bench(join(0), TestSerdes.STRING);
    assertThrows(
        IllegalStateException.class,
        () -> bench.process(1, List.of(new Row(Bytes.ofUtf8("k"), "a", 1, true))));
  }

  @Test
  void aSourceOfATableTakesOldValuesBack() {
    for (boolean reopening : new boolean[] {false, true}) {
      Bench bench =
          new Bench(
              TableSourceOperator.declare("t", TestSerdes.STRING, TestSerdes.STRING),
              TestSerdes.STRING);
      bench = reopening ? bench.reopening() : bench;
      Random random = new Random(7);
      TreeMap<String, Object> expected = new TreeMap<>();
      TreeMap<String, Object> view = new TreeMap<>();
      int seen = 0;
      for (int step = 0; step < 100; step++) {
        List<Row> rows = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
          String key = "k" + random.nextInt(3);
          String value = random.nextInt(3) == 0 ? null : "v" + random.nextInt(3);
          rows.add(new Row(Bytes.ofUtf8(key), value, step, false));
          if (value == null) {
            expected.remove(key);
          } else {
            expected.put(key, value);
          }
        }
        bench.process(rows);
        for (; seen < bench.out().size(); seen++) {
          Row row = bench.out().get(seen);
          if (row.retraction()) {
            assertEquals(view.remove(row.key().toUtf8()), row.value());
          } else {
            assertNull(view.put(row.key().toUtf8(), row.value()));
          }
        }
        assertEquals(expected, view);
        assertEquals(expected.size(), bench.stored("t").size());
      }
    }
  }
}

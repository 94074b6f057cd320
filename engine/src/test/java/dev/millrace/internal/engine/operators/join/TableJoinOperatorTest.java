package dev.millrace.internal.engine.operators.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.DrawnKeys;
import dev.millrace.internal.engine.operators.KeyedValue;
import dev.millrace.internal.engine.operators.Reference;
import dev.millrace.internal.engine.operators.TestSerdes;
import dev.millrace.internal.engine.operators.table.TableSourceOperator;
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
        (left, right) -> result(needed, left, right));
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
    String key = DrawnKeys.text(random.nextInt(4));
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
  void entriesAreJoinedWithWhatTheyReferTo() {
    for (long seed = 1; seed <= 40; seed++) {
      for (int batch : new int[] {1, 2, 7}) {
        for (int needed : new int[] {0, 2}) {
          String run = "seed %d batch %d needed %d".formatted(seed, batch, needed);
          Bench bench = new Bench(foreignKeyJoin(needed), TestSerdes.STRING).reopening();
          referring(run, new Random(seed), needed, bench, batch);
        }
      }
    }
  }

  private static Declaration foreignKeyJoin(int needed) {
    return ForeignKeyJoinOperator.declare(
        "f",
        TestSerdes.STRING,
        TestSerdes.STRING,
        List.of(TestSerdes.STRING, TestSerdes.STRING),
        (left, right) -> result(needed, left, right));
  }

  private static void referring(String run, Random random, int needed, Bench bench, int batch) {
    TreeMap<String, String> referring = new TreeMap<>();
    TreeMap<String, String> referred = new TreeMap<>();
    Map<String, Object> view = new TreeMap<>();
    int seen = 0;
    for (int step = 0; step < 40; step++) {
      int side = random.nextInt(2);
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < batch; i++) {
        if (side == 1) {
          change(random, referred, rows);
        } else {
          refer(random, referring, rows);
        }
      }
      bench.process(side, rows);
      for (; seen < bench.out().size(); seen++) {
        Row row = bench.out().get(seen);
        KeyedValue result = (KeyedValue) row.value();
        String place = result.key() + " to " + row.key().toUtf8();
        if (row.retraction()) {
          assertEquals(view.remove(place), result.value(), run);
        } else {
          assertNull(view.put(place, result.value()), run);
        }
      }
      Map<String, Object> expected = new TreeMap<>();
      referring.forEach((place, value) -> {
        String other = referred.get(place.substring(place.indexOf(" to ") + 4));
        Object result = result(needed, value, other);
        if (result != null) {
          expected.put(place, result);
        }
      });
      assertEquals(expected, view, run);
    }
    referring.keySet().removeIf(each -> each.endsWith(" to null"));
    assertEquals(referring.size(), bench.stored("f").size(), run);
    assertEquals(referred.size(), bench.stored("f-referred").size(), run);
  }

  /// An entry comes or goes; keys of different lengths may begin alike.
  private static void refer(Random random, Map<String, String> referring, List<Row> rows) {
    String key = "e".repeat(1 + random.nextInt(2)) + random.nextInt(2);
    int to = random.nextInt(5);
    String foreignKey = to == 0 ? null : DrawnKeys.text(to);
    String place = key + " to " + foreignKey;
    String value = referring.remove(place);
    boolean goes = value != null;
    if (!goes) {
      value = "e" + random.nextInt(3);
      referring.put(place, value);
    }
    // What refers to nothing comes under any key.
    Bytes under = Bytes.ofUtf8("" + foreignKey);
    rows.add(new Row(under, Reference.of(key, value, foreignKey), 1, goes));
  }

  @Test
  void whatRefersToNothingIsJoinedWithNothingWhereverItComes() {
    Bench bench = new Bench(foreignKeyJoin(0), TestSerdes.STRING);
    Bytes key = Bytes.ofUtf8("k");
    bench.process(1, List.of(new Row(key, "r", 1)));
    bench.process(0, List.of(new Row(key, Reference.of("e", "v", null), 2)));
    bench.process(1, List.of(new Row(key, "r", 3, true), new Row(key, "s", 3)));
    bench.process(0, List.of(new Row(key, Reference.of("e", "v", null), 4, true)));

    assertEquals(
        List.of(
            new Row(key, new KeyedValue("e", "v&null"), 2),
            new Row(key, new KeyedValue("e", "v&null"), 4, true)),
        bench.out());
  }

  @Test
  void aRowSeesTheTableAsItIs() {
    for (int needed : new int[] {0, 2}) {
      Bench bench =
          new Bench(
                  LookupJoinOperator.declare(
                      "l",
                      TestSerdes.STRING,
                      TestSerdes.STRING,
                      (left, right) -> result(needed, left, right)),
                  TestSerdes.STRING)
              .reopening();
      Random random = new Random(11);
      TreeMap<String, String> table = new TreeMap<>();
      List<Row> expected = new ArrayList<>();
      for (int step = 0; step < 200; step++) {
        List<Row> rows = new ArrayList<>();
        if (random.nextBoolean()) {
          change(random, table, rows);
          bench.process(1, rows);
        } else {
          String key = DrawnKeys.text(random.nextInt(4));
          bench.process(0, List.of(new Row(Bytes.ofUtf8(key), "r" + step, step)));
          Object result = result(needed, "r" + step, table.get(key));
          if (result != null) {
            expected.add(new Row(Bytes.ofUtf8(key), result, step));
          }
        }
      }
      assertEquals(expected, bench.out());
    }
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
          String key = DrawnKeys.text(random.nextInt(3));
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

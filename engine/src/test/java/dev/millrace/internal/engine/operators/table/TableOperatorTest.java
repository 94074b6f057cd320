package dev.millrace.internal.engine.operators.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

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
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What a table has emitted and not taken back is, behind every batch, what a look at all rows
/// gives, in the order in which they came.
class TableOperatorTest {

  @Test
  void countsOfRowsThatComeAndGo() {
    check(
        values -> (long) values.size(),
        true,
        () -> TableOperator.folding("t", Aggregation.count(), TestSerdes.STRING, TestSerdes.LONG));
  }

  @Test
  void whatIsMadeOfAllRowsThatComeAndGo() {
    check(
        List::copyOf,
        true,
        () ->
            TableOperator.retaining(
                "t", (_, values) -> List.copyOf(values), TestSerdes.STRING, TestSerdes.STRING));
  }

  @Test
  void anAggregateOfRowsThatOnlyComeTakesBackWhatWasBefore() {
    check(
        values -> (long) values.size(),
        false,
        () ->
            AggregateOperator.declare(
                "t", Aggregation.count(), TestSerdes.STRING, TestSerdes.LONG));
    Aggregation fold =
        Aggregation.fold(
            ArrayList::new,
            (list, value) -> {
              objects(list).add(value);
              return list;
            });
    check(
        List::copyOf,
        false,
        () -> AggregateOperator.declare("t", fold, TestSerdes.STRING, TestSerdes.CHANGING_LIST));
  }

  @SuppressWarnings("unchecked")
  private static List<Object> objects(Object list) {
    return (List<Object>) list;
  }

  private static void check(
      Function<List<Object>, Object> kind, boolean goes, Supplier<Declaration> operator) {
    for (long seed = 1; seed <= 30; seed++) {
      for (int batch : new int[] {1, 2, 5, 20}) {
        for (boolean reopening : new boolean[] {false, true}) {
          String run = "seed %d batch %d reopening %b".formatted(seed, batch, reopening);
          Bench bench = new Bench(operator.get(), TestSerdes.STRING);
          bench = reopening ? bench.reopening().readingAhead() : bench;
          run(run, new Random(seed), kind, goes, bench, batch);
        }
      }
    }
  }

  private static void run(
      String run,
      Random random,
      Function<List<Object>, Object> kind,
      boolean goes,
      Bench bench,
      int batch) {
    TreeMap<String, List<Object>> values = new TreeMap<>();
    TreeMap<String, Object> view = new TreeMap<>();
    int seen = 0;
    for (int step = 0; step < 30; step++) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < batch; i++) {
        String key = DrawnKeys.text(random.nextInt(4));
        List<Object> all = values.computeIfAbsent(key, _ -> new ArrayList<>());
        boolean back = goes && !all.isEmpty() && random.nextBoolean();
        Object value = back ? all.get(random.nextInt(all.size())) : "v" + random.nextInt(3);
        if (back) {
          all.remove(value); // the first that is alike
        } else {
          all.add(value);
        }
        rows.add(new Row(Bytes.ofUtf8(key), value, random.nextInt(100), back));
      }
      bench.process(rows);
      for (; seen < bench.out().size(); seen++) {
        Row row = bench.out().get(seen);
        String key = row.key().toUtf8();
        if (row.retraction()) {
          assertEquals(view.remove(key), row.value(), run + " takes back " + key);
        } else {
          assertNull(view.put(key, row.value()), run + " has two results for " + key);
        }
      }
      Map<String, Object> expected = new TreeMap<>();
      values.forEach((key, all) -> {
        if (!all.isEmpty()) {
          expected.put(key, kind.apply(all));
        }
      });
      assertEquals(expected, view, run);
    }
    long keys = values.values().stream().filter(all -> !all.isEmpty()).count();
    assertEquals(keys, bench.stored("t").size(), run);
  }
}

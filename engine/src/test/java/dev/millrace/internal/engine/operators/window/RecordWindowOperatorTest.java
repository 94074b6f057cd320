package dev.millrace.internal.engine.operators.window;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.DrawnKeys;
import dev.millrace.internal.engine.operators.TestSerdes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Against lists of all rows of a key.
class RecordWindowOperatorTest {

  @Test
  void windowsEndAfterSoManyRecords() {
    for (int records : new int[] {1, 2, 5}) {
      Windows windows = Windows.ofRecords(records);
      each(windows, counting(windows), values -> (long) values.size());
      each(windows, collecting(windows), List::copyOf);
    }
  }

  @Test
  void theLastOnesEndWithTheInput() {
    each(Windows.all(), counting(Windows.all()), values -> (long) values.size());
    each(Windows.all(), collecting(Windows.all()), List::copyOf);
  }

  @Test
  void earlyResultsAreReplaced() {
    for (Windows windows : List.of(Windows.all(), Windows.ofRecords(5))) {
      for (int records : new int[] {1, 3}) {
        Windows early = windows.early(records);
        each(early, counting(early), values -> (long) values.size());
        each(early, collecting(early), List::copyOf);
      }
    }
  }

  private static Declaration counting(Windows windows) {
    return RecordWindowOperator.folding(
        "w", windows, Aggregation.count(), TestSerdes.STRING, TestSerdes.LONG);
  }

  private static Declaration collecting(Windows windows) {
    return RecordWindowOperator.retaining(
        "w",
        windows,
        (_, values) -> new ArrayList<>(values),
        TestSerdes.STRING,
        TestSerdes.STRING,
        TestSerdes.CHANGING_LIST);
  }

  private static void each(
      Windows windows, Declaration declared, Function<List<Object>, Object> kind) {
    for (long seed = 1; seed <= 20; seed++) {
      for (int batch : new int[] {1, 3, 50}) {
        for (int budget : new int[] {1, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            Bench bench = new Bench(declared, TestSerdes.STRING);
            bench = reopening ? bench.reopening() : bench;
            String run =
                "%s seed %d batch %d budget %d reopening %b"
                    .formatted(windows, seed, batch, budget, reopening);
            drawn(run, new Random(seed), windows, kind, bench, batch, budget);
          }
        }
      }
    }
  }

  private static void drawn(
      String run,
      Random random,
      Windows windows,
      Function<List<Object>, Object> kind,
      Bench bench,
      int batch,
      int budget) {
    Map<Bytes, List<Row>> open = new TreeMap<>();
    Map<Bytes, Row> shown = new TreeMap<>();
    List<Row> expected = new ArrayList<>();
    int size = windows instanceof Windows.Counted counted ? counted.records() : Integer.MAX_VALUE;
    int early = windows.timing().earlyRecords();
    List<Bench.Event> events = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Bytes key = Bytes.ofUtf8(DrawnKeys.text(random.nextInt(3)));
      Row row = new Row(key, "v" + i, 100 + random.nextInt(30));
      events.add(new Bench.Arrival(row));
      List<Row> rows = open.computeIfAbsent(key, _ -> new ArrayList<>());
      rows.add(row);
      boolean ends = rows.size() == size;
      if (ends || (early > 0 && rows.size() % early == 0)) {
        replace(shown, key, result(rows, kind), expected);
      }
      if (ends) {
        open.remove(key);
        shown.remove(key);
      }
    }
    bench.run(events, batch, budget);
    assertEquals(expected, bench.out(), run);
    bench.advance(Long.MAX_VALUE, budget);
    open.forEach((key, rows) -> replace(shown, key, result(rows, kind), expected));
    assertEquals(expected, bench.out(), run);
    for (String store : List.of("w", "w-open", "w-times")) {
      assertEquals(0, bench.stored(store).size(), run + " " + store);
    }
  }

  private static void replace(Map<Bytes, Row> shown, Bytes key, Row now, List<Row> expected) {
    Row before = shown.put(key, now);
    if (before != null && before.value().equals(now.value())) {
      return;
    }
    if (before != null) {
      expected.add(new Row(before.key(), before.value(), before.timestamp(), true));
    }
    expected.add(now);
  }

  private static Row result(List<Row> rows, Function<List<Object>, Object> kind) {
    long first = rows.stream().mapToLong(Row::timestamp).min().orElseThrow();
    long last = rows.stream().mapToLong(Row::timestamp).max().orElseThrow();
    List<Object> values = new ArrayList<>();
    rows.forEach(row -> values.add(row.value()));
    Window window = new Window(Instant.ofEpochMilli(first), Instant.ofEpochMilli(last + 1));
    String key = rows.getFirst().key().toUtf8();
    return new Row(
        rows.getFirst().key(), new WindowResult<>(window, key, kind.apply(values)), last);
  }

  @Test
  void anEarlyResultComesWhenTimeHasMovedOn() {
    Windows windows = Windows.all().early(Duration.ofMillis(10));
    Bench bench = new Bench(counting(windows), TestSerdes.STRING);
    Bytes key = Bytes.ofUtf8("k");
    bench.process(List.of(new Row(key, "a", 12), new Row(key, "b", 14)));
    bench.advance(19, 10);
    assertEquals(List.of(), bench.out());
    bench.advance(25, 10);
    Row two = new Row(key, counted(12, 14, 2), 19);
    assertEquals(List.of(two), bench.out());
    bench.advance(40, 10);
    bench.process(List.of(new Row(key, "c", 41)));
    bench.advance(60, 10);
    Row three = new Row(key, counted(12, 41, 3), 49);
    Row back = new Row(key, two.value(), 19, true);
    assertEquals(List.of(two, back, three), bench.out());
    bench.advance(Long.MAX_VALUE, 10);
    assertEquals(List.of(two, back, three), bench.out(), "nothing new, so nothing again");
  }

  private static Object counted(long first, long last, long count) {
    Window window = new Window(Instant.ofEpochMilli(first), Instant.ofEpochMilli(last + 1));
    return new WindowResult<>(window, "k", count);
  }
}

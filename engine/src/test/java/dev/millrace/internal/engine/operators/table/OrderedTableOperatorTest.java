package dev.millrace.internal.engine.operators.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.DrawnKeys;
import dev.millrace.internal.engine.operators.TestSerdes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What such a table has is, behind every batch, what a look at all rows that are not taken back
/// gives, in the order of their times and, at one time, in that in which they came.
class OrderedTableOperatorTest {
  private static final int LATENESS = 20;

  @Test
  void theLatestRowIsTheOneWithTheLatestTime() {
    check(
        List::getLast,
        () -> OrderedTableOperator.latest("t", LATENESS, TestSerdes.STRING, TestSerdes.STRING),
        true);
  }

  @Test
  void soItIsWhereNothingIsForgotten() {
    check(
        List::getLast,
        () ->
            OrderedTableOperator.latest(
                "t", Declaration.FOREVER, TestSerdes.STRING, TestSerdes.STRING),
        false);
  }

  @Test
  void aFunctionSeesAllRowsInTheOrderOfTheirTimes() {
    check(
        values -> String.join(" ", values),
        () ->
            OrderedTableOperator.retaining(
                "t",
                (_, values) -> String.join(" ", values.stream().map(String.class::cast).toList()),
                TestSerdes.STRING,
                TestSerdes.STRING),
        false);
  }

  private static void check(
      Function<List<String>, Object> kind, Supplier<Declaration> operator, boolean forgets) {
    for (long seed = 1; seed <= 40; seed++) {
      for (int batch : new int[] {1, 2, 5, 20}) {
        for (int budget : new int[] {1, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            String run =
                "seed %d batch %d budget %d reopening %b".formatted(seed, batch, budget, reopening);
            Bench bench = new Bench(operator.get(), TestSerdes.STRING);
            bench = reopening ? bench.reopening() : bench;
            new Drawn(run, new Random(seed), kind, bench).run(batch, budget, forgets);
          }
        }
      }
    }
  }

  private static final class Drawn {
    private final String run;
    private final Random random;
    private final Function<List<String>, Object> kind;
    private final Bench bench;

    /// All rows that came and were not taken back, in the order in which they came.
    private final TreeMap<String, List<Row>> rows = new TreeMap<>();

    private final TreeMap<String, Object> view = new TreeMap<>();
    private int seen;
    private int next;
    private long watermark = Long.MIN_VALUE;

    Drawn(String run, Random random, Function<List<String>, Object> kind, Bench bench) {
      this.run = run;
      this.random = random;
      this.kind = kind;
      this.bench = bench;
    }

    void run(int batch, int budget, boolean forgets) {
      long around = 100;
      for (int step = 0; step < 30; step++) {
        List<Row> sent = new ArrayList<>();
        for (int i = 0; i < batch; i++) {
          sent.add(row(around));
        }
        bench.process(sent);
        check();
        if (random.nextBoolean()) {
          around += random.nextInt(15);
          bench.advance(around, budget);
          watermark = around;
        }
      }
      bench.advance(Long.MAX_VALUE, budget);
      check();
      int all = forgets ? view.size() : (int) rows.values().stream().mapToLong(this::times).sum();
      assertEquals(all, bench.stored("t").size(), run);
    }

    private long times(List<Row> ofKey) {
      return ofKey.stream().mapToLong(Row::timestamp).distinct().count();
    }

    private Row row(long around) {
      String key = DrawnKeys.text(random.nextInt(3));
      List<Row> ofKey = rows.computeIfAbsent(key, _ -> new ArrayList<>());
      List<Row> may =
          ofKey.stream().filter(row -> row.timestamp() >= watermark - LATENESS).toList();
      if (watermark == Long.MIN_VALUE) {
        may = ofKey;
      }
      if (!may.isEmpty() && random.nextInt(5) < 2) {
        Row taken = may.get(random.nextInt(may.size()));
        ofKey.remove(taken); // the first that is alike
        return new Row(taken.key(), taken.value(), taken.timestamp(), true);
      }
      // Some are as good as new, some far too late, and some have values that others have.
      long time = around - (random.nextInt(4) == 0 ? random.nextInt(90) : random.nextInt(12));
      String value = random.nextInt(4) == 0 ? "same" : "v" + next++;
      Row row = new Row(Bytes.ofUtf8(key), value, time);
      ofKey.add(row);
      return row;
    }

    private void check() {
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
      rows.forEach((key, all) -> {
        List<String> ordered =
            all.stream()
                .sorted(Comparator.comparingLong(Row::timestamp))
                .map(row -> (String) row.value())
                .toList();
        if (!ordered.isEmpty()) {
          expected.put(key, kind.apply(ordered));
        }
      });
      assertEquals(expected, view, run + " at " + watermark);
    }
  }

  @Test
  void theCorrectionOfAnOldWindowDoesNotBecomeTheNewest() {
    for (int batch = 1; batch <= 4; batch++) {
      Bench bench =
          new Bench(
              OrderedTableOperator.latest("t", 1000, TestSerdes.STRING, TestSerdes.STRING),
              TestSerdes.STRING);
      List<Row> rows =
          List.of(
              row("r0", 9, false), row("r1", 19, false), row("r0", 9, true), row("c0", 9, false));
      for (int from = 0; from < rows.size(); from += batch) {
        bench.process(rows.subList(from, Math.min(rows.size(), from + batch)));
      }
      assertEquals("r1", bench.out().getLast().value());
    }
  }

  private static Row row(String value, long time, boolean goes) {
    return new Row(Bytes.ofUtf8("k"), value, time, goes);
  }

  @Test
  void aRowThatATickHasGivenAnotherTimeIsTakenBackAllTheSame() {
    Bench bench =
        new Bench(
            OrderedTableOperator.latest(
                "t", Declaration.FOREVER, TestSerdes.STRING, TestSerdes.STRING),
            TestSerdes.STRING);
    bench.process(List.of(row("r0", 9, false), row("r1", 19, false)));
    bench.process(List.of(row("r1", 30, true)));
    assertEquals(
        List.of(row("r1", 19, false), row("r1", 30, true), row("r0", 30, false)), bench.out());
  }

  @Test
  void takingBackWhatNeverCameIsBadInput() {
    Bench bench =
        new Bench(
            OrderedTableOperator.latest("t", 1000, TestSerdes.STRING, TestSerdes.STRING),
            TestSerdes.STRING);
    bench.process(List.of(row("r0", 9, false)));
    assertThrows(IllegalStateException.class, () -> bench.process(List.of(row("r1", 9, true))));
  }

  @Test
  void whatIsTooLateIsCounted() {
    Bench bench =
        new Bench(
            OrderedTableOperator.latest("t", 10, TestSerdes.STRING, TestSerdes.STRING),
            TestSerdes.STRING);
    bench.process(List.of(row("r0", 50, false)));
    bench.advance(100, 100);
    bench.process(List.of(row("r1", 40, false), row("r0", 50, true), row("r2", 60, false)));
    assertEquals(List.of(row("r1", 40, false), row("r0", 50, true)), bench.late());
    assertEquals("r2", bench.out().getLast().value());
  }
}

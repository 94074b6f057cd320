package dev.millrace.internal.engine.operators.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.DrawnKeys;
import dev.millrace.internal.engine.operators.TestSerdes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What goes on is, at every watermark, what a look at all rows that came lets through.
class DeduplicateOperatorTest {
  private static final long WITHIN = 10;

  private static Declaration declared(boolean byAttribute) {
    Mapper<Object, Object> attribute = value -> value.toString().substring(0, 1);
    return DeduplicateOperator.declare(
        "d",
        WITHIN,
        TestSerdes.STRING,
        TestSerdes.STRING,
        byAttribute ? attribute : null,
        byAttribute ? TestSerdes.STRING : null);
  }

  private static Bench bench(boolean byAttribute) {
    return new Bench(declared(byAttribute), TestSerdes.STRING);
  }

  private static Row row(String key, String value, long time) {
    return new Row(Bytes.ofUtf8(key), value, time);
  }

  @Test
  void theFirstOfEachKeyGoesOn() {
    long late = 0;
    long dropped = 0;
    for (long seed = 1; seed <= 120; seed++) {
      for (int batch : new int[] {1, 3, 10}) {
        for (int budget : new int[] {1, 3, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            boolean byAttribute = seed % 2 == 0;
            String run =
                "seed %d batch %d budget %d reopening %b".formatted(seed, batch, budget, reopening);
            Bench bench = bench(byAttribute);
            bench = reopening ? bench.reopening() : bench;
            Drawn drawn = new Drawn(run, new Random(seed), byAttribute, bench);
            bench.drive(drawn.random, batch, budget, drawn::row, drawn::check);
            for (String store : List.of("d", "d-waiting", "d-times")) {
              assertEquals(0, bench.stored(store).size(), run + " " + store);
            }
            late += drawn.tooLate.size();
            dropped += drawn.came - drawn.passed.size() - drawn.tooLate.size();
          }
        }
      }
    }
    assertTrue(late > 1_000 && dropped > 1_000, late + " too late, " + dropped + " dropped");
  }

  /// All rows that came, and what of them goes on, by a look at each pair.
  private static final class Drawn {
    private final String run;
    private final Random random;
    private final boolean byAttribute;
    private final Bench bench;
    private final List<Row> waiting = new ArrayList<>();
    private final List<Row> passed = new ArrayList<>();
    private final List<Row> tooLate = new ArrayList<>();
    private @Nullable Long watermark;
    private long came;

    Drawn(String run, Random random, boolean byAttribute, Bench bench) {
      this.run = run;
      this.random = random;
      this.byAttribute = byAttribute;
      this.bench = bench;
    }

    Row row(long around) {
      String value = "ab".charAt(random.nextInt(2)) + "" + random.nextInt(100);
      Row row =
          DeduplicateOperatorTest.row(
              DrawnKeys.text(random.nextInt(3)), value, around - 18 + random.nextInt(40));
      came++;
      if (watermark == null || row.timestamp() >= watermark) {
        waiting.add(row);
      } else if (row.timestamp() < watermark - WITHIN) {
        tooLate.add(row);
      } else {
        judge(row);
      }
      return row;
    }

    private void judge(Row row) {
      if (passed.stream().noneMatch(each -> same(each, row) && near(each, row))) {
        passed.add(row);
      }
    }

    private boolean same(Row one, Row other) {
      return one.key().equals(other.key())
          && (!byAttribute
              || one.value().toString().charAt(0) == other.value().toString().charAt(0));
    }

    private static boolean near(Row one, Row other) {
      return Math.abs(one.timestamp() - other.timestamp()) < WITHIN;
    }

    void check(long now) {
      watermark = now;
      List<Row> settled =
          new ArrayList<>(waiting.stream().filter(row -> row.timestamp() < now).toList());
      waiting.removeAll(settled);
      settled.sort(Comparator.comparingLong(Row::timestamp)); // stable: the first to come is first
      settled.forEach(this::judge);
      assertEquals(sorted(passed), sorted(bench.out()), run + " at " + now);
      assertEquals(tooLate, bench.late(), run);
    }

    private static List<String> sorted(List<Row> rows) {
      return rows.stream()
          .map(row -> row.key().toUtf8() + row.value() + "@" + row.timestamp() + row.retraction())
          .sorted()
          .toList();
    }
  }

  @Test
  void disorderWithinTheWatermarkChangesNothing() {
    List<Row> inOrder = List.of(row("k", "a1", 0), row("k", "a2", 9), row("k", "a3", 10));
    for (List<Integer> order : List.of(List.of(0, 1, 2), List.of(2, 1, 0), List.of(1, 2, 0))) {
      Bench bench = bench(false);
      order.forEach(i -> bench.process(List.of(inOrder.get(i))));
      bench.advance(11, 100);
      assertEquals(List.of(inOrder.get(0), inOrder.get(2)), bench.out());
    }
  }

  @Test
  void aLateRowGoesOnIfNoneIsNear() {
    Bench bench = bench(false);
    bench.process(List.of(row("k", "a1", 100)));
    bench.advance(105, 100);
    bench.process(List.of(row("k", "a2", 96), row("other", "a3", 95), row("other", "a4", 94)));
    assertEquals(List.of(row("k", "a1", 100), row("other", "a3", 95)), bench.out());
    assertEquals(List.of(row("other", "a4", 94)), bench.late());
  }
}

package dev.millrace.internal.engine.operators.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Aggregation;
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
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/// What was emitted and not taken back is, at every watermark, what sorting all rows gives.
class SessionOperatorTest {
  private static final long GAP = 6;

  @Test
  void sessionsThatAreCounted() {
    check(
        values -> (long) values.size(),
        false,
        lateness ->
            SessionOperator.declare(
                "s", GAP, lateness, Aggregation.count(), TestSerdes.STRING, TestSerdes.LONG));
  }

  @Test
  void sessionsOfAllRowsThatComeAndGo() {
    for (boolean goes : new boolean[] {false, true}) {
      check(
          SessionOperatorTest::sorted,
          goes,
          lateness ->
              SessionOfRowsOperator.declare(
                  "s",
                  GAP,
                  lateness,
                  (_, values) -> sorted(values),
                  TestSerdes.STRING,
                  TestSerdes.STRING));
    }
  }

  /// The gap is 6: a record at 3 lies before the end of the session of 0, which is final.
  @Test
  void aRecordBeforeTheEndOfAFinalSessionIsTooLate() {
    for (Declaration declared :
        List.of(
            SessionOperator.declare(
                "s", GAP, 0, Aggregation.count(), TestSerdes.STRING, TestSerdes.LONG),
            SessionOfRowsOperator.declare(
                "s",
                GAP,
                0,
                (_, values) -> (long) values.size(),
                TestSerdes.STRING,
                TestSerdes.STRING))) {
      Bench bench = new Bench(declared, TestSerdes.STRING);
      Bytes key = Bytes.ofUtf8("a");
      bench.process(List.of(new Row(key, "first", 0)));
      bench.advance(7, 10);
      Row late = new Row(key, "late", 3);
      bench.process(List.of(late, new Row(key, "next", 6)));
      bench.advance(Long.MAX_VALUE, 10);
      assertEquals(List.of(late), bench.late());
      assertEquals(
          List.of("0 to 6: 1", "6 to 12: 1"),
          bench.out().stream()
              .map(row -> (WindowResult<?, ?>) row.value())
              .map(result ->
                  "%d to %d: %s"
                      .formatted(
                          result.window().start().toEpochMilli(),
                          result.window().end().toEpochMilli(),
                          result.value()))
              .toList());
    }
  }

  private static List<Object> sorted(List<Object> values) {
    return values.stream().sorted(Comparator.comparing(Object::toString)).toList();
  }

  private static void check(
      Function<List<Object>, Object> kind, boolean goes, LongFunction<Declaration> operator) {
    for (long seed = 1; seed <= 60; seed++) {
      long lateness = seed % 3 == 0 ? 0 : 5 * (seed % 7);
      for (int batch : new int[] {1, 3, 10}) {
        for (int budget : new int[] {1, 3, 100}) {
          for (boolean reopening : new boolean[] {false, true}) {
            String run =
                "seed %d batch %d budget %d reopening %b".formatted(seed, batch, budget, reopening);
            Bench bench = new Bench(operator.apply(lateness), TestSerdes.STRING);
            bench = reopening ? bench.reopening() : bench;
            new Sessions(run, new Random(seed), kind, goes, lateness, bench).run(batch, budget);
          }
        }
      }
    }
  }

  private static final class Sessions {
    private final String run;
    private final Random random;
    private final Function<List<Object>, Object> kind;
    private final boolean goes;
    private final long lateness;
    private final Bench bench;
    private final List<Row> rows = new ArrayList<>();
    private final List<Row> tooLate = new ArrayList<>();
    private final Map<String, Object> view = new TreeMap<>();

    /// Results that nothing changes any more, and whose rows are forgotten.
    private final Map<String, Object> frozen = new TreeMap<>();

    /// Of each key, the end of the last session that is final.
    private final Map<Bytes, Long> ends = new TreeMap<>();

    private long watermark = Long.MIN_VALUE;
    private int seen;

    Sessions(
        String run,
        Random random,
        Function<List<Object>, Object> kind,
        boolean goes,
        long lateness,
        Bench bench) {
      this.run = run;
      this.random = random;
      this.kind = kind;
      this.goes = goes;
      this.lateness = lateness;
      this.bench = bench;
    }

    void run(int batch, int budget) {
      bench.drive(random, batch, budget, this::row, this::check);
      for (String store :
          List.of("s", "s-older", "s-times", "s-closed", "s-ends", "s-ends-times")) {
        if (bench.stored(store) != null) {
          assertEquals(0, bench.stored(store).size(), run + " " + store);
        }
      }
    }

    private Row row(long around) {
      if (goes && !rows.isEmpty() && random.nextInt(4) == 0) {
        Row row = rows.get(random.nextInt(rows.size()));
        Row back = new Row(row.key(), row.value(), row.timestamp(), true);
        if (isFinal(sessionOf(row))) {
          tooLate.add(back);
        } else {
          rows.remove(row);
        }
        return back;
      }
      long time = around - 25 + random.nextInt(45);
      Row row =
          new Row(Bytes.ofUtf8(DrawnKeys.text(random.nextInt(2))), "v" + random.nextInt(3), time);
      (isTooLate(row) ? tooLate : rows).add(row);
      return row;
    }

    /// Whether a row would change a session that is final, or would be the first one of a session
    /// though it is later than any that is a session by itself may be.
    private boolean isTooLate(Row row) {
      long time = row.timestamp();
      boolean first = true;
      if (time < ends.getOrDefault(row.key(), Long.MIN_VALUE)) {
        return true;
      }
      for (List<Row> session : sessions(row.key())) {
        boolean near =
            session.getFirst().timestamp() - GAP < time
                && time < session.getLast().timestamp() + GAP;
        if (near && isFinal(session)) {
          return true;
        }
        first &= !near || session.getFirst().timestamp() > time;
      }
      return first && isFinal(List.of(row));
    }

    /// Whether nothing may change a session any more.
    private boolean isFinal(List<Row> session) {
      return watermark != Long.MIN_VALUE
          && session.getLast().timestamp() + GAP + lateness <= watermark;
    }

    private List<Row> sessionOf(Row row) {
      return sessions(row.key()).stream()
          .filter(session -> session.contains(row))
          .findFirst()
          .orElseThrow();
    }

    private List<List<Row>> sessions(Bytes key) {
      List<Row> all =
          rows.stream()
              .filter(row -> row.key().equals(key))
              .sorted(Comparator.comparingLong(Row::timestamp))
              .toList();
      List<List<Row>> sessions = new ArrayList<>();
      for (Row row : all) {
        boolean next =
            sessions.isEmpty() || row.timestamp() - sessions.getLast().getLast().timestamp() >= GAP;
        if (next) {
          sessions.add(new ArrayList<>());
        }
        sessions.getLast().add(row);
      }
      return sessions;
    }

    private void check(long now) {
      watermark = now;
      for (; seen < bench.out().size(); seen++) {
        Row row = bench.out().get(seen);
        WindowResult<?, ?> result = (WindowResult<?, ?>) row.value();
        String place =
            "%s %d to %d"
                .formatted(
                    result.key(),
                    result.window().start().toEpochMilli(),
                    result.window().end().toEpochMilli());
        assertEquals(result.window().end().toEpochMilli() - 1, row.timestamp(), run);
        if (row.retraction()) {
          assertEquals(view.remove(place), result.value(), run + " takes back " + place);
        } else {
          assertNull(view.put(place, result.value()), run + " has two results at " + place);
        }
      }
      Map<String, Object> expected = new TreeMap<>(frozen);
      for (String key : List.of(DrawnKeys.text(0), DrawnKeys.text(1))) {
        for (List<Row> session : sessions(Bytes.ofUtf8(key))) {
          long end = session.getLast().timestamp() + GAP;
          if (end <= watermark) {
            String place = "%s %d to %d".formatted(key, session.getFirst().timestamp(), end);
            List<Object> values = new ArrayList<>();
            session.forEach(row -> values.add(row.value()));
            expected.put(place, kind.apply(values));
            if (end + lateness <= watermark) {
              frozen.put(place, kind.apply(values));
              ends.merge(Bytes.ofUtf8(key), end, Math::max);
              rows.removeAll(session);
            }
          }
        }
      }
      assertEquals(expected, view, run + " at " + watermark);
      requireApart();
      assertEquals(tooLate, bench.late(), run);
    }

    /// Sessions of a key never overlap, whatever is late.
    private void requireApart() {
      Map<String, TreeMap<Long, Long>> all = new TreeMap<>();
      for (String place : view.keySet()) {
        String[] parts = place.split(" ");
        all.computeIfAbsent(parts[0], _ -> new TreeMap<>())
            .put(Long.parseLong(parts[1]), Long.parseLong(parts[3]));
      }
      all.forEach((key, sessions) ->
          sessions.forEach((first, end) -> {
            Long next = sessions.higherKey(first);
            assertTrue(
                next == null || end <= next,
                () -> "%s: of %s, %d to %d overlaps %d".formatted(run, key, first, end, next));
          }));
    }
  }
}

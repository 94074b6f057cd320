package dev.millrace.internal.engine.operators.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.calls.CallFailedException;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.DrawnKeys;
import dev.millrace.internal.engine.operators.TestSerdes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Calls end in any order, fail and take too long; each row has its answer once all the same.
class CallOperatorTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(100);

  @Test
  void eachRowHasItsAnswerOnceAndInItsOrder() {
    for (long seed = 1; seed <= 120; seed++) {
      for (Call.Order order : Call.Order.values()) {
        for (boolean reopening : new boolean[] {false, true}) {
          new Drawn(seed, order, reopening).run();
        }
      }
    }
  }

  @Test
  void aFailureNamesTheRecordAlsoBehindACrash() {
    Call<Object, Object> call =
        Call.<Object, Object>blocking(
                value -> {
                  if (value.equals("bad")) {
                    throw new IllegalStateException("closed today");
                  }
                  return value;
                })
            .retries(1, Duration.ofSeconds(1));
    Bench bench =
        new Bench(
            CallOperator.declare("call 'c'", "c", call, TestSerdes.STRING), TestSerdes.STRING);
    bench.process(
        List.of(
            new Row(Bench.key(TestSerdes.STRING, DrawnKeys.text(0)), "good", 1),
            new Row(null, "bad", 2),
            new Row(Bench.key(TestSerdes.STRING, DrawnKeys.text(1)), "good", 3)));
    bench.reopen();
    CallFailedException failed =
        assertThrows(
            CallFailedException.class,
            () -> {
              while (bench.async().isWaiting()) {
                bench.fakeCalls().go(new Random(1), 3, 1_000);
                bench.poll();
              }
            });
    assertEquals(
        "call 'c' has failed 2 times, the last time with: java.lang.IllegalStateException: closed"
            + " today. The next start calls it again; to give an answer instead, add otherwise(...)"
            + " to the call. It was called with: bad, for the record at in:0:1",
        failed.getMessage());
  }

  private static Call<Object, Object> in(Call.Order order, Call<Object, Object> call) {
    return switch (order) {
      case KEPT -> call;
      case NONE -> call.unordered();
      case ONE_BY_ONE -> call.oneByOne();
    };
  }

  /// A run with what is drawn from a seed.
  private static final class Drawn {
    private final String run;
    private final Random random;
    private final Call.Order order;
    private final Bench bench;
    private final boolean reopening;
    private final List<Row> sent = new ArrayList<>();

    Drawn(long seed, Call.Order order, boolean reopening) {
      run = "seed %d, %s, reopening %b".formatted(seed, order, reopening);
      random = new Random(seed);
      this.order = order;
      Call<Object, Object> call =
          seed % 2 == 0
              ? Call.<Object, Object>batched(
                  3, values -> values.stream().map(this::answer).toList())
              : Call.blocking(this::answer);
      call = in(order, call).inFlight(4).timeout(TIMEOUT).retries(1_000, PAUSE);
      call = seed % 3 == 0 ? call.perSecond(50) : call;
      call = seed % 5 == 0 ? call.breaker(2, Duration.ofSeconds(3)) : call;
      bench =
          new Bench(
              CallOperator.declare("call 'c'", "c", call, TestSerdes.STRING), TestSerdes.STRING);
      this.reopening = reopening;
    }

    private Object answer(Object value) {
      if (random.nextInt(4) == 0) {
        throw new IllegalStateException("not now");
      }
      return "answer to " + value;
    }

    void run() {
      for (int step = 0; step < 40; step++) {
        List<Row> rows = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          rows.add(
              new Row(
                  Bench.key(TestSerdes.STRING, DrawnKeys.text(random.nextInt(3))),
                  "v" + sent.size() + "." + i,
                  random.nextInt(1_000)));
        }
        sent.addAll(rows);
        bench.process(rows);
        bench.fakeCalls().go(random, 3, random.nextInt(800));
        poll();
        if (reopening && random.nextInt(5) == 0) {
          bench.reopen();
        }
      }
      for (int step = 0; bench.async().isWaiting(); step++) {
        assertTrue(step < 5_000, run + ": rows wait for ever");
        bench.fakeCalls().go(random, 10, 500);
        poll();
      }
      checkAll();
    }

    private void poll() {
      bench.poll();
      long least =
          sent.stream()
              .filter(row -> bench.out().stream().noneMatch(out -> isAnswer(out, row)))
              .mapToLong(Row::timestamp)
              .min()
              .orElse(Long.MAX_VALUE);
      assertEquals(least, bench.async().hold(), run);
    }

    private boolean isAnswer(Row out, Row row) {
      return out.value().equals("answer to " + row.value());
    }

    private void checkAll() {
      Map<Bytes, List<Object>> wanted = new HashMap<>();
      Map<Bytes, List<Object>> found = new HashMap<>();
      sent.forEach(row -> add(wanted, row.key(), "answer to " + row.value() + row.timestamp()));
      bench.out().forEach(row -> add(found, row.key(), row.value() + "" + row.timestamp()));
      if (order == Call.Order.NONE) {
        wanted.values().forEach(all -> all.sort(null));
        found.values().forEach(all -> all.sort(null));
      }
      assertEquals(wanted, found, run);
      assertEquals(0, bench.stored("c-waiting").size(), run);
    }

    private static void add(Map<Bytes, List<Object>> to, Bytes key, Object value) {
      to.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
    }
  }
}

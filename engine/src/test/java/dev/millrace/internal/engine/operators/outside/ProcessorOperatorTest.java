package dev.millrace.internal.engine.operators.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.Bench;
import dev.millrace.internal.engine.operators.Bench.Arrival;
import dev.millrace.internal.engine.operators.Bench.Event;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.Bench.Watermark;
import dev.millrace.internal.engine.operators.TestSerdes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ProcessorOperatorTest {
  private static final StoreSpec<Long, Long> COUNTS =
      StoreSpec.keyValue("counts", Serdes.longs(), Serdes.longs());

  /// What a processor does with a timer, from the random values of the records: `+3` sets one three
  /// milliseconds from the record or timer, `-3` cancels it.
  private interface Timetable {
    void set(long key, long time);

    void cancel(long key, long time);
  }

  private static void follow(String orders, long key, long at, Timetable timers) {
    for (String order : orders.split(" ")) {
      if (order.startsWith("+")) {
        timers.set(key, at + Long.parseLong(order.substring(1)));
      } else if (order.startsWith("-")) {
        timers.cancel(key, at + Long.parseLong(order.substring(1)));
      }
    }
  }

  /// A timer that fires sets and cancels others of its own and the next key, some of them in the
  /// past.
  private static void chain(long key, long time, Timetable timers) {
    if (Math.floorMod(time, 7) == 3) {
      timers.set(key, time + 2);
      timers.cancel(key + 1, time + 1);
    }
    if (Math.floorMod(time, 11) == 5) {
      timers.set(key + 1, time - 9);
    }
  }

  private static final class Scripted implements Processor<Long, String, String> {
    private ProcessorContext<Long> context;
    private KeyValueStore<Long, Long> counts;

    @Override
    public void open(ProcessorContext<Long> opened) {
      context = opened;
      counts = opened.store(COUNTS);
    }

    @Override
    public void process(Records<Long, String> records, Output<String> out) {
      while (records.next()) {
        long key = records.key();
        Long before = counts.get(key);
        long count = before == null ? 1 : before + 1;
        counts.put(key, count);
        out.emit("r" + count);
        follow(records.value(), key, records.timestamp(), timers());
      }
    }

    @Override
    public void onTimer(Long key, long timestamp, Output<String> out) {
      out.emit("t" + timestamp);
      out.emit("later", timestamp + 1000);
      chain(key, timestamp, timers());
    }

    private Timetable timers() {
      return new Timetable() {
        @Override
        public void set(long key, long time) {
          context.setTimer(key, time);
        }

        @Override
        public void cancel(long key, long time) {
          context.cancelTimer(key, time);
        }
      };
    }
  }

  /// The same over a sorted set.
  private static final class Oracle implements Timetable {
    record Timer(long time, long key) implements Comparable<Timer> {
      @Override
      public int compareTo(Timer other) {
        return time != other.time ? Long.compare(time, other.time) : Long.compare(key, other.key);
      }
    }

    private final TreeSet<Timer> timers = new TreeSet<>();
    private final TreeMap<Long, Long> counts = new TreeMap<>();
    private final List<Row> out = new ArrayList<>();

    @Override
    public void set(long key, long time) {
      timers.add(new Timer(time, key));
    }

    @Override
    public void cancel(long key, long time) {
      timers.remove(new Timer(time, key));
    }

    Oracle run(List<Event> events) {
      for (Event event : events) {
        switch (event) {
          case Arrival arrival -> {
            long key = (Long) TestSerdes.LONG.read(arrival.row().key());
            long at = arrival.row().timestamp();
            out.add(new Row(arrival.row().key(), "r" + counts.merge(key, 1L, Long::sum), at));
            follow((String) arrival.row().value(), key, at, this);
          }
          case Watermark moved -> {
            while (!timers.isEmpty() && timers.first().time() <= moved.time()) {
              Timer timer = timers.removeFirst();
              Bytes key = Bench.key(TestSerdes.LONG, timer.key());
              out.add(new Row(key, "t" + timer.time(), timer.time()));
              out.add(new Row(key, "later", timer.time() + 1000));
              chain(timer.key(), timer.time(), this);
            }
          }
        }
      }
      return this;
    }
  }

  private static List<Event> events(Random random) {
    List<Event> events = new ArrayList<>();
    long watermark = -30;
    for (int i = 0; i < 50; i++) {
      if (random.nextInt(6) == 0) {
        watermark += random.nextInt(25);
        events.add(new Watermark(watermark));
      } else {
        StringBuilder orders = new StringBuilder();
        for (int order = random.nextInt(4); order > 0; order--) {
          orders.append(random.nextInt(3) == 0 ? '-' : '+');
          orders.append(random.nextInt(30) - 12).append(' ');
        }
        Bytes key = Bench.key(TestSerdes.LONG, (long) random.nextInt(5) - 2);
        events.add(new Arrival(new Row(key, orders.toString(), watermark + random.nextInt(20))));
      }
    }
    events.add(new Watermark(watermark + 200));
    return events;
  }

  @Test
  void everyBudgetAndBatchGivesWhatASortedSetOfTimersGives() {
    for (long seed = 1; seed <= 12; seed++) {
      List<Event> events = events(new Random(seed));
      Oracle oracle = new Oracle().run(events);
      for (int budget = 1; budget <= 12; budget++) {
        for (int batch = 1; batch <= 6; batch++) {
          String run = "seed %d budget %d batch %d".formatted(seed, budget, batch);
          check(run, oracle, bench().run(events, batch, budget));
          check(run + " reopening", oracle, bench().reopening().run(events, batch, budget));
        }
      }
      check("seed " + seed + " at once", oracle, bench().run(events, 1000, 100_000));
    }
  }

  private static void check(String run, Oracle oracle, Bench bench) {
    assertEquals(oracle.out, bench.out(), run);
    assertEquals(oracle.timers.size(), bench.stored("p-timers").size(), run);
  }

  private static Bench bench() {
    return bench(Scripted::new, TestSerdes.LONG, COUNTS);
  }

  @SuppressWarnings("unchecked")
  private static <K, V, R> Bench bench(
      Initializer<Processor<K, V, R>> supplier, Serde<Object> keys, StoreSpec<?, ?>... stores) {
    return new Bench(
        ProcessorOperator.declare(
            "p",
            (Initializer<Processor<Object, Object, Object>>) (Initializer<?>) supplier,
            keys,
            List.of(stores)),
        keys);
  }

  /// Sets itself anew until the input has ended.
  private static final class Periodic implements Processor<Bytes, String, String> {
    private ProcessorContext<Bytes> context;

    @Override
    public void open(ProcessorContext<Bytes> opened) {
      context = opened;
    }

    @Override
    public void process(Records<Bytes, String> records, Output<String> out) {
      while (records.next()) {
        context.setTimer(records.key(), 10);
        context.setTimer(records.key(), 10);
      }
    }

    @Override
    public void onTimer(Bytes key, long timestamp, Output<String> out) {
      out.emit(timestamp + "/" + context.watermark());
      if (context.watermark() != Long.MAX_VALUE) {
        context.setTimer(key, timestamp + 10);
      }
    }
  }

  @Test
  void aTimerThatSetsItselfAnewSeesTheEndOfTheInput() {
    for (int budget = 1; budget <= 5; budget++) {
      Bench bench = bench(Periodic::new, null);
      Bytes key = Bytes.ofUtf8("k");
      bench.process(List.of(new Row(key, "v", 1)));
      bench.advance(35, budget);
      bench.advance(Long.MAX_VALUE, budget);
      assertEquals(
          List.of("10/35", "20/35", "30/35", "40/" + Long.MAX_VALUE),
          bench.out().stream().map(Row::value).toList());
      assertTrue(bench.out().stream().allMatch(row -> key.equals(row.key())));
      assertEquals(0, bench.stored("p-timers").size());
    }
  }

  @Test
  void aStepFiresAtMostItsBudget() {
    Bench bench = bench(Periodic::new, null);
    for (int i = 0; i < 6; i++) {
      bench.process(List.of(new Row(Bytes.ofUtf8("k" + i), "v", 1)));
    }
    assertEquals(3, bench.advance(12, 2));
    assertEquals(6, bench.out().size());
  }

  @Test
  void aTimerNeedsAKey() {
    Bench bench = bench(Periodic::new, null);
    assertEquals(
        "A timer needs a key, but the record has none.",
        assertThrows(
                IllegalArgumentException.class, () -> bench.process(List.of(new Row(null, "v", 1))))
            .getMessage());
  }

  @Test
  void theProcessorIsClosedOnce() {
    int[] closed = new int[1];
    Initializer<Processor<Object, Object, Object>> supplier =
        () ->
            new Processor<>() {
              @Override
              public void process(Records<Object, Object> records, Output<Object> out) {}

              @Override
              public void close() {
                closed[0]++;
              }
            };
    Bench bench = bench(supplier, TestSerdes.LONG);
    bench.close();
    bench.close();
    assertEquals(1, closed[0]);
  }
}

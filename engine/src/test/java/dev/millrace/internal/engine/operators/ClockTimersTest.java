package dev.millrace.internal.engine.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Bench.Row;
import dev.millrace.internal.engine.operators.outside.ProcessorOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Timers in processing time, beside those in event time.
class ClockTimersTest {
  private static final long START = 1_000_000;

  /// What happens, in order.
  private sealed interface Event {}

  /// @param orders what the processor does: `c+3` sets a timer three milliseconds from what the
  ///   clock shows, `e-2` one two milliseconds before the record's time; `!` in front cancels it
  private record Arrives(long key, String orders, long time) implements Event {}

  private record Advances(long watermark) implements Event {}

  private record Ticks(long clock) implements Event {}

  /// What timers are set in.
  private interface Timetable {
    void set(boolean byClock, long key, long time, boolean cancels);

    long clock();
  }

  private static void follow(String orders, long key, long time, Timetable timers) {
    for (String order : orders.split(" ")) {
      if (!order.isEmpty()) {
        boolean cancels = order.startsWith("!");
        String rest = cancels ? order.substring(1) : order;
        boolean byClock = rest.startsWith("c");
        long from = byClock ? timers.clock() : time;
        timers.set(byClock, key, from + Long.parseLong(rest.substring(1)), cancels);
      }
    }
  }

  /// A timer that fires sets and cancels others, of both kinds, some of them in the past.
  private static void chain(boolean byClock, long key, long time, Timetable timers) {
    if (Math.floorMod(time, 7) == 3) {
      timers.set(byClock, key, time + 2, false);
      timers.set(byClock, key + 1, time + 1, true);
    }
    if (Math.floorMod(time, 11) == 5) {
      timers.set(byClock, key + 1, time - 9, false);
    }
    if (Math.floorMod(time, 5) == 1) {
      timers.set(!byClock, key, byClock ? time - START : time + START, false);
    }
  }

  private static final class Scripted implements Processor<Long, String, String> {
    private ProcessorContext<Long> context;

    @Override
    public void open(ProcessorContext<Long> opened) {
      context = opened;
    }

    @Override
    public void process(Records<Long, String> records, Output<String> out) {
      while (records.next()) {
        follow(records.value(), records.key(), records.timestamp(), timers());
      }
    }

    @Override
    public void onTimer(Long key, long timestamp, Output<String> out) {
      out.emit("e" + timestamp);
      chain(false, key, timestamp, timers());
    }

    @Override
    public void onClockTimer(Long key, long timestamp, Output<String> out) {
      out.emit("c" + timestamp);
      out.emit("at", 77);
      chain(true, key, timestamp, timers());
    }

    private Timetable timers() {
      return new Timetable() {
        @Override
        public void set(boolean byClock, long key, long time, boolean cancels) {
          if (byClock && cancels) {
            context.cancelClockTimer(key, time);
          } else if (byClock) {
            context.setClockTimer(key, time);
          } else if (cancels) {
            context.cancelTimer(key, time);
          } else {
            context.setTimer(key, time);
          }
        }

        @Override
        public long clock() {
          return context.clock();
        }
      };
    }
  }

  /// The same over two sorted sets.
  private static final class Oracle implements Timetable {
    record Timer(long time, long key) implements Comparable<Timer> {
      @Override
      public int compareTo(Timer other) {
        return time != other.time ? Long.compare(time, other.time) : Long.compare(key, other.key);
      }
    }

    private final TreeSet<Timer> byEvents = new TreeSet<>();
    private final TreeSet<Timer> byClock = new TreeSet<>();
    private final List<Row> out = new ArrayList<>();
    private long watermark = Long.MIN_VALUE;
    private long clock = START;

    @Override
    public void set(boolean ofClock, long key, long time, boolean cancels) {
      TreeSet<Timer> timers = ofClock ? byClock : byEvents;
      if (cancels) {
        timers.remove(new Timer(time, key));
      } else {
        timers.add(new Timer(time, key));
      }
    }

    @Override
    public long clock() {
      return clock;
    }

    Oracle run(List<Event> events) {
      for (Event event : events) {
        switch (event) {
          case Arrives arrives -> follow(arrives.orders(), arrives.key(), arrives.time(), this);
          case Advances moved -> {
            while (!byEvents.isEmpty() && byEvents.first().time() <= moved.watermark()) {
              Timer timer = byEvents.removeFirst();
              out.add(new Row(key(timer.key()), "e" + timer.time(), timer.time()));
              chain(false, timer.key(), timer.time(), this);
            }
            watermark = moved.watermark();
          }
          case Ticks ticks -> {
            clock = ticks.clock();
            while (watermark != Long.MIN_VALUE
                && !byClock.isEmpty()
                && byClock.first().time() <= clock) {
              Timer timer = byClock.removeFirst();
              out.add(new Row(key(timer.key()), "c" + timer.time(), watermark));
              out.add(new Row(key(timer.key()), "at", 77));
              chain(true, timer.key(), timer.time(), this);
            }
          }
        }
      }
      return this;
    }
  }

  private static Bytes key(long key) {
    return Bench.key(TestSerdes.LONG, key);
  }

  private static List<Event> events(Random random) {
    List<Event> events = new ArrayList<>();
    long watermark = -30;
    long clock = START;
    for (int i = 0; i < 60; i++) {
      switch (random.nextInt(7)) {
        case 0 -> {
          watermark += random.nextInt(20);
          events.add(new Advances(watermark));
        }
        case 1 -> {
          clock += random.nextInt(20);
          events.add(new Ticks(clock));
        }
        default -> {
          StringBuilder orders = new StringBuilder();
          for (int order = random.nextInt(4); order > 0; order--) {
            orders.append(random.nextInt(3) == 0 ? "!" : "").append("ce".charAt(random.nextInt(2)));
            orders.append(random.nextInt(30) - 12).append(' ');
          }
          long time = watermark + random.nextInt(20);
          events.add(new Arrives(random.nextInt(5) - 2, orders.toString(), time));
        }
      }
    }
    events.add(new Ticks(clock + 40));
    events.add(new Advances(watermark + 200));
    events.add(new Ticks(clock + 80));
    return events;
  }

  private static Bench run(Bench bench, List<Event> events, int batch, int budget) {
    List<Row> rows = new ArrayList<>();
    bench.tick(START, budget);
    for (Event event : events) {
      if (event instanceof Arrives arrives) {
        rows.add(new Row(key(arrives.key()), arrives.orders(), arrives.time()));
      }
      if (rows.size() == batch || !(event instanceof Arrives)) {
        bench.process(rows);
        rows = new ArrayList<>();
      }
      if (event instanceof Advances moved) {
        bench.advance(moved.watermark(), budget);
      } else if (event instanceof Ticks ticks) {
        bench.tick(ticks.clock(), budget);
      }
    }
    return bench;
  }

  @Test
  void everyBudgetAndBatchGivesWhatTwoSortedSetsOfTimersGive() {
    for (long seed = 1; seed <= 12; seed++) {
      List<Event> events = events(new Random(seed));
      Oracle oracle = new Oracle().run(events);
      for (int budget = 1; budget <= 12; budget++) {
        for (int batch = 1; batch <= 6; batch++) {
          String run = "seed %d budget %d batch %d".formatted(seed, budget, batch);
          check(run, oracle, run(bench(Scripted::new, TestSerdes.LONG), events, batch, budget));
          Bench reopening = bench(Scripted::new, TestSerdes.LONG).reopening();
          check(run + " reopening", oracle, run(reopening, events, batch, budget));
        }
      }
    }
  }

  private static void check(String run, Oracle oracle, Bench bench) {
    assertEquals(oracle.out, bench.out(), run);
    assertEquals(
        oracle.byEvents.size() + oracle.byClock.size(), bench.stored("p-timers").size(), run);
  }

  @SuppressWarnings("unchecked")
  private static <K, V, R> Bench bench(
      Initializer<Processor<K, V, R>> supplier, Serde<Object> keys) {
    return new Bench(
        ProcessorOperator.declare(
            "p",
            (Initializer<Processor<Object, Object, Object>>) (Initializer<?>) supplier,
            keys,
            List.of()),
        keys);
  }

  /// Fires every ten milliseconds.
  private static final class Periodic implements Processor<Bytes, String, String> {
    private ProcessorContext<Bytes> context;

    @Override
    public void open(ProcessorContext<Bytes> opened) {
      context = opened;
    }

    @Override
    public void process(Records<Bytes, String> records, Output<String> out) {
      while (records.next()) {
        context.setClockTimer(records.key(), Long.parseLong(records.value()));
      }
    }

    @Override
    public void onClockTimer(Bytes key, long timestamp, Output<String> out) {
      out.emit(timestamp + "/" + context.clock());
      context.setClockTimer(key, timestamp + 10);
    }
  }

  @Test
  void aTimerThatSetsItselfAnewFiresUntilTheClockIsReached() {
    Bench bench = bench(Periodic::new, null);
    bench.process(List.of(new Row(Bytes.ofUtf8("k"), "10", 1)));
    bench.advance(0, 10);
    assertEquals(3, bench.tick(35, 1));
    assertEquals(List.of("10/35", "20/35", "30/35"), bench.out().stream().map(Row::value).toList());
    assertEquals(0, bench.tick(39, 1));
    bench.advance(Long.MAX_VALUE, 10); // not by the end of event time
    assertEquals(3, bench.out().size());
    assertEquals(1, bench.stored("p-timers").size());
  }

  @Test
  void aStepFiresAtMostItsBudget() {
    Bench bench = bench(Periodic::new, null);
    for (int i = 0; i < 6; i++) {
      bench.process(List.of(new Row(Bytes.ofUtf8("k" + i), "10", 1)));
    }
    bench.advance(0, 10);
    assertEquals(3, bench.tick(12, 2));
    assertEquals(6, bench.out().size());
  }

  /// With the timer's own time, what came of it on a host whose clock was days ahead was refused by
  /// the log for good. The simulation found this by `topologies`, seed 270, when it began to draw
  /// timers by the clock.
  @Test
  void noneFiresBeforeThereIsAnEventTimeForWhatComesOfIt() {
    Bench bench = bench(Periodic::new, null);
    bench.process(List.of(new Row(Bytes.ofUtf8("k"), "10", 5)));
    assertEquals(0, bench.tick(12, 1));
    assertEquals(List.of(), bench.out());
    bench.advance(3, 10);
    bench.tick(13, 1);
    assertEquals(List.of(new Row(Bytes.ofUtf8("k"), "10/13", 3)), bench.out());
  }

  @Test
  void aTimeBefore1970IsRefusedAndSoIsNoKey() {
    Bench bench = bench(Periodic::new, null);
    Bytes key = Bytes.ofUtf8("k");
    assertThrows(
        IllegalArgumentException.class, () -> bench.process(List.of(new Row(key, "-1", 1))));
    assertThrows(
        IllegalArgumentException.class,
        () -> bench.process(List.of(new Row(key, Long.toString(Long.MAX_VALUE), 1))));
    assertThrows(
        IllegalArgumentException.class, () -> bench.process(List.of(new Row(null, "1", 1))));
    assertEquals(0, bench.stored("p-timers").size());
  }
}

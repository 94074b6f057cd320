package dev.millrace.internal.beam.run;

import dev.millrace.internal.beam.operators.TestTime;
import dev.millrace.spi.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/// The clocks of a test. The engine paces itself by that of the machine, but for intervals that are
/// skipped while nothing happens. Timers fire by the same one; or, if there is a stream of events,
/// by one that stands still until an event moves it, and goes with the other after the last.
public final class TestClock implements Clock, TestTime {
  private static final long NANOS_A_MILLI = 1_000_000;

  private long skippedNanos;
  private final Set<String> running = new TreeSet<>();
  private boolean turn;

  /// The time by which timers fire if there is a stream of events; 0 if there is none.
  private long timersMillis;

  @Override
  public long nanos() {
    return System.nanoTime() + skippedNanos;
  }

  @Override
  public long millis() {
    return timersMillis == 0
        ? System.currentTimeMillis() + skippedNanos / NANOS_A_MILLI
        : timersMillis;
  }

  /// Whether a stream of events runs.
  boolean stands() {
    return !running.isEmpty();
  }

  /// Lets the next event happen.
  void giveTurn() {
    turn = true;
  }

  /// The pipeline has died: its streams of events say anew where they stand.
  void died() {
    turn = false;
    running.clear();
    timersMillis = 0;
  }

  void skip(Duration interval) {
    skippedNanos += interval.toNanos();
    if (timersMillis > 0 && running.isEmpty()) {
      timersMillis += interval.toMillis();
    }
  }

  @Override
  public boolean takeTurn() {
    boolean taken = turn;
    turn = false;
    return taken;
  }

  @Override
  public void advance(Duration interval) {
    timersMillis += interval.toMillis();
  }

  @Override
  public void begins(String name) {
    running.add(name);
    if (timersMillis == 0) {
      timersMillis = System.currentTimeMillis();
    }
  }

  @Override
  public void clock(long millis) {
    timersMillis = millis;
  }

  @Override
  public void ends(String name) {
    running.remove(name);
  }
}

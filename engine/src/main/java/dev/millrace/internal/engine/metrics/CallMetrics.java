package dev.millrace.internal.engine.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Counters and gauges of the calls of an operator in a task, written by its worker and read by
/// anyone.
public final class CallMetrics {
  private static final long MICRO = 1_000;

  private final AtomicLong made = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();
  private final AtomicLong cached = new AtomicLong();
  private final AtomicLong breaks = new AtomicLong();
  private final AtomicLong nanos = new AtomicLong();
  private final LatencyHistogram time = new LatencyHistogram();
  private volatile int waiting;
  private volatile int underWay;
  private volatile @Nullable BooleanSupplier pause;

  /// @param newPause tells whether calls pause because they fail; thread-safe
  public void pause(BooleanSupplier newPause) {
    pause = newPause;
  }

  public void begun(boolean again) {
    made.incrementAndGet();
    if (again) {
      repeated.incrementAndGet();
    }
  }

  public void ended(long durationNanos) {
    nanos.addAndGet(durationNanos);
    time.add(durationNanos / MICRO);
  }

  /// @param pauses whether all calls pause because of it
  public void failed(boolean pauses) {
    failed.incrementAndGet();
    if (pauses) {
      breaks.incrementAndGet();
    }
  }

  public void addCached() {
    cached.incrementAndGet();
  }

  public void underWay(int calls) {
    underWay = calls;
  }

  /// So many records wait for their answers. Told by the operator.
  public void waiting(int records) {
    waiting = records;
  }

  /// How many records wait for their answers, those whose calls are under way among them.
  public int waiting() {
    return waiting;
  }

  /// How many calls are under way.
  public int underWay() {
    return underWay;
  }

  /// Calls begun, repetitions among them.
  public long made() {
    return made.get();
  }

  /// Calls that have failed or taken too long, each repetition for itself.
  public long failed() {
    return failed.get();
  }

  /// Calls begun because the one before had failed.
  public long repeated() {
    return repeated.get();
  }

  /// Records for which nothing was asked, since an equal one had its answer or its call.
  public long cached() {
    return cached.get();
  }

  /// How often calls of this task made all of the process pause, as so many had failed one after
  /// the other.
  public long breaks() {
    return breaks.get();
  }

  /// Whether calls of the process pause, until one that tries has succeeded.
  public boolean paused() {
    BooleanSupplier shared = pause;
    return shared != null && shared.getAsBoolean();
  }

  /// How long the calls took together that have ended in whatever way.
  public long durationNanos() {
    return nanos.get();
  }

  /// How long each of them took, in microseconds.
  public LatencyHistogram time() {
    return time;
  }
}

package dev.millrace.internal.engine.chain;

import dev.millrace.internal.engine.metrics.Activity;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What can be seen of a worker from outside: what it does at the moment, and how many rows each of
/// its operators has taken and given.
///
/// It reads no clock. Whoever looks often enough knows how long each thing takes; see
/// `docs/decisions/044-busy-time-is-sampled.md`. The worker writes a reference for each step and
/// each slice of rows, and adds to counters that nobody else writes, so no write waits for another
/// thread. What is read may be a moment old.
public final class Probe {
  private final AtomicLongArray rowsIn;
  private final AtomicLongArray rowsOut;

  /// Where the chain at work stands; null between chains.
  private final AtomicReference<Step.@Nullable Place> place = new AtomicReference<>();

  /// The number of an [Activity]; a reference would cost the collector's barrier.
  private final AtomicInteger activity = new AtomicInteger(Activity.RESTORE.number());

  /// @param operators how many there are; see [Chains#operators]
  Probe(int operators) {
    rowsIn = new AtomicLongArray(operators);
    rowsOut = new AtomicLongArray(operators);
  }

  /// Says what the worker turns to.
  public void turnTo(Activity now) {
    activity.setOpaque(now.number());
  }

  /// A chain begins to work. Whoever sees this sees all that the chain is made of.
  void enter(Step.Place at) {
    place.setRelease(at);
  }

  /// No chain is at work, or the one that was has failed.
  public void leave() {
    place.setRelease(null);
  }

  void took(int operator, int rows) {
    rowsIn.setOpaque(operator, rowsIn.getPlain(operator) + rows);
  }

  void gave(int operator, int rows) {
    rowsOut.setOpaque(operator, rowsOut.getPlain(operator) + rows);
  }

  /// The operator at work, by its place in [Chains#operators]; negative if none is. Thread-safe.
  public int operator() {
    Step.Place at = place.getAcquire();
    return at == null ? -1 : at.operatorNumber();
  }

  /// What the worker does where no operator is at work. Thread-safe.
  public Activity activity() {
    return Activity.of(activity.getOpaque());
  }

  /// How many rows an operator has taken, those again that were processed again after a roll-back.
  /// Thread-safe.
  public long rowsIn(int operator) {
    return rowsIn.getOpaque(operator);
  }

  /// How many rows it has given to each of those behind it. Thread-safe.
  public long rowsOut(int operator) {
    return rowsOut.getOpaque(operator);
  }
}

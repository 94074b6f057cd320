package dev.millrace.internal.engine.chain;

import dev.millrace.internal.engine.operators.ClockedOperator;
import dev.millrace.internal.engine.time.TaskClock;
import dev.millrace.internal.engine.topology.Node;
import java.util.List;

/// Brings the operators of a task forward while no records are processed: in event time, by the
/// clock, and with the answers of other systems.
public final class TimedOperators {
  private final Step.Place place;
  private final TaskTime time;
  private final List<TimedOperator> all;

  /// Those of them that hold back event time.
  private final List<TimedOperator> async;

  /// Those of them that do something as time goes by.
  private final List<TimedOperator> clocked;

  TimedOperators(Step.Place place, TaskTime time, List<TimedOperator> all) {
    this.place = place;
    this.time = time;
    this.all = all;
    async = all.stream().filter(TimedOperator::isAsync).toList();
    clocked = all.stream().filter(TimedOperator::isClocked).toList();
  }

  /// Says up to which watermark the operators were brought before they were opened.
  public void restore(long watermark) {
    time.come(watermark);
    for (TimedOperator each : all) {
      each.restore(watermark);
    }
  }

  /// Returns the watermark of one operator, which may be later than that of the task.
  public long watermark(Node.Stateful node) {
    for (TimedOperator each : all) {
      if (each.isOf(node)) {
        return each.watermark();
      }
    }
    throw new AssertionError("Not in this chain: " + node.name());
  }

  /// Brings the operators up to a watermark, one after the other, with about `budget` results at
  /// most.
  ///
  /// @return whether all have arrived
  public boolean advance(long watermark, int budget) {
    place.probe.enter(place);
    for (TimedOperator each : all) {
      if (!each.advance(place, watermark, budget)) {
        place.leave();
        return false;
      }
    }
    for (TimedOperator each : async) {
      each.passed();
    }
    time.come(watermark);
    place.leave();
    return true;
  }

  /// Emits what other systems have answered.
  ///
  /// @return whether anything was done
  public boolean poll() {
    boolean any = false;
    place.probe.enter(place);
    for (int i = 0, size = async.size(); i < size; i++) {
      TimedOperator each = async.get(i);
      any |= each.step.poll(place, each.async());
    }
    place.leave();
    return any;
  }

  /// Whether an operator may have something to do by the clock.
  public boolean isDue(TaskClock clock) {
    long first = dueMillis();
    return first < Long.MAX_VALUE && first <= clock.millis();
  }

  /// When one may have something to do by the clock, in milliseconds since 1970; `Long.MAX_VALUE`
  /// if never.
  public long dueMillis() {
    long first = Long.MAX_VALUE;
    for (int i = 0, size = clocked.size(); i < size; i++) {
      first = Math.min(first, clocked.get(i).clocked().dueMillis());
    }
    return first;
  }

  /// Has the operators do what is due by the clock, with about `budget` results at most of each.
  ///
  /// @return whether there was anything
  public boolean tick(long nowMillis, int budget) {
    boolean any = false;
    place.probe.enter(place);
    for (TimedOperator each : clocked) {
      ClockedOperator operator = each.clocked();
      if (operator.dueMillis() <= nowMillis) {
        any |= each.step.tick(place, operator, nowMillis, budget);
      }
    }
    place.leave();
    return any;
  }

  /// Whether event time may move on behind an operator that held it back.
  public boolean isBehind() {
    for (int i = 0, size = async.size(); i < size; i++) {
      if (async.get(i).isBehind()) {
        return true;
      }
    }
    return false;
  }

  /// Whether rows wait for the answers of other systems.
  public boolean isWaiting() {
    for (int i = 0, size = async.size(); i < size; i++) {
      if (async.get(i).async().isWaiting()) {
        return true;
      }
    }
    return false;
  }

  /// Whether the operators should be given more rows now.
  public boolean hasRoom() {
    for (int i = 0, size = async.size(); i < size; i++) {
      if (!async.get(i).async().hasRoom()) {
        return false;
      }
    }
    return true;
  }

  /// Returns what of a watermark that all operators have come to may be told to others: less where
  /// rows wait.
  public long told(long watermark) {
    long told = watermark;
    for (int i = 0, size = async.size(); i < size; i++) {
      told = Math.min(told, async.get(i).told());
    }
    return told;
  }
}

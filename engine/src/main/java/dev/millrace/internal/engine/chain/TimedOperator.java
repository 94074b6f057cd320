package dev.millrace.internal.engine.chain;

import dev.millrace.internal.engine.operators.AsyncOperator;
import dev.millrace.internal.engine.operators.ClockedOperator;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.internal.engine.topology.Node;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An operator with state, and how far event time has come at it.
final class TimedOperator {
  private static final Logger LOG = LoggerFactory.getLogger(TimedOperator.class);

  final Node.Stateful node;
  final StatefulStep step;
  private final long delayMillis;

  /// Null if it holds nothing back.
  private final @Nullable AsyncOperator async;

  /// Those before it, without others between, that hold event time back.
  private final List<TimedOperator> holding;

  /// The watermark that it has come to.
  private long watermark = InputTime.UNKNOWN;

  /// The watermark that those behind it are brought to.
  private long passing = InputTime.UNKNOWN;

  /// The watermark that all behind it have come to.
  private long passed = InputTime.UNKNOWN;

  TimedOperator(Node.Stateful node, StatefulStep step, List<TimedOperator> holding) {
    this.node = node;
    this.step = step;
    this.holding = holding;
    delayMillis = node.delayMillis();
    async = step.operator() instanceof AsyncOperator operator ? operator : null;
  }

  /// Whether it waits for other systems, and holds event time back.
  boolean isAsync() {
    return async != null;
  }

  AsyncOperator async() {
    return Objects.requireNonNull(async);
  }

  /// Whether it does something as time goes by.
  boolean isClocked() {
    return step.operator() instanceof ClockedOperator;
  }

  ClockedOperator clocked() {
    return (ClockedOperator) step.operator();
  }

  boolean isOf(Node other) {
    return node.id() == other.id();
  }

  long watermark() {
    return watermark;
  }

  /// Takes over that the operator was brought to where a watermark of the task brings it.
  void restore(long taskWatermark) {
    watermark = reach(taskWatermark);
  }

  /// Takes over that the operator was opened.
  void opened() {
    if (async != null) {
      passed = async.passed();
      passing = passed;
    }
  }

  /// Brings the operator to where a watermark of the task brings it, with about `budget` results at
  /// most.
  ///
  /// @return whether it has arrived
  boolean advance(Step.Place place, long taskWatermark, int budget) {
    long own = reach(taskWatermark);
    if (watermark < own) {
      if (!step.advance(place, own, budget)) {
        return false;
      }
      watermark = own;
    }
    passing = Math.max(passing, couldPass());
    return true;
  }

  private long reach(long taskWatermark) {
    long own = InputTime.delayed(taskWatermark, delayMillis);
    for (TimedOperator each : holding) {
      own = Math.min(own, InputTime.delayed(each.passing, delayMillis - each.delayMillis));
    }
    return own;
  }

  private long couldPass() {
    return async == null ? watermark : Math.min(watermark, async.hold());
  }

  /// Whether event time may move on behind it.
  boolean isBehind() {
    return couldPass() > passing;
  }

  /// Takes over that all behind it have come as far as they may.
  void passed() {
    if (async != null && passed != passing) {
      passed = passing;
      async.passed(passed);
    }
  }

  /// Returns the watermark of the task at which all behind it come as far as they have.
  long told() {
    return passed == InputTime.UNKNOWN || passed == InputTime.ENDED ? passed : passed + delayMillis;
  }

  /// Closes the operator. What user code throws at its end concerns nobody else: it is logged.
  void close() {
    try {
      step.operator().close();
      // outermost: user code at its end, whatever it throws
    } catch (RuntimeException e) {
      LOG.warn("{} failed while it was closed.", step.name, e);
    }
  }
}

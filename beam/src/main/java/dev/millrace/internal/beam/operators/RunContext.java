package dev.millrace.internal.beam.operators;

import dev.millrace.internal.beam.metrics.RunMetrics;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What the operators of a pipeline share in the process in which it runs.
///
/// @param time of the test that it is; null if it is none
/// @param stable the clock of a DoFn whose input is stable; null if it goes by no such clock
public record RunContext(
    RunMetrics metrics, @Nullable TestTime time, @Nullable StableClock stable) {
  /// One that goes by no clock of its own.
  public RunContext(RunMetrics metrics, @Nullable TestTime time) {
    this(metrics, time, null);
  }

  /// Returns the same with the clock of a DoFn.
  public RunContext with(@Nullable StableClock clock) {
    return new RunContext(metrics, time, clock);
  }

  /// Returns the clock by which timers of an operator fire, in milliseconds since 1970.
  LongSupplier clock(OperatorContext context) {
    if (stable != null) {
      int task = context.partition();
      return () -> stable.millis(task);
    }
    return time == null ? context::clock : time::millis;
  }
}

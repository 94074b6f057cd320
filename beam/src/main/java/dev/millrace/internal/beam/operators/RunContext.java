package dev.millrace.internal.beam.operators;

import dev.millrace.internal.beam.metrics.RunMetrics;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What the operators of a pipeline share in the process in which it runs.
///
/// @param time of the test that it is; null if it is none
public record RunContext(RunMetrics metrics, @Nullable TestTime time) {

  /// Returns the clock by which timers of an operator fire, in milliseconds since 1970.
  LongSupplier clock(OperatorContext context) {
    return time == null ? context::clock : time::millis;
  }
}

package dev.millrace.internal.engine.calls;

import dev.millrace.api.Call;
import dev.millrace.internal.engine.metrics.CallMetrics;
import dev.millrace.spi.Clock;
import java.util.concurrent.Executor;

/// What operators need to ask other systems.
///
/// @param executor runs code that blocks
/// @param wakeup wakes the worker when an answer has come; thread-safe
public record Calls(Executor executor, Clock clock, Gates gates, Runnable wakeup) {

  /// The calls of an operator.
  ///
  /// @param metrics count them
  public Flights flights(String operator, Call<Object, Object> call, CallMetrics metrics) {
    return new Flights(operator, call, this, gates.of(operator, call.limits()), metrics);
  }
}

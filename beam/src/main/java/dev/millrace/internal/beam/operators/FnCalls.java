package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import org.apache.beam.runners.core.PushbackSideInputDoFnRunner;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// How the rows and timers of a task become calls of a DoFn.
interface FnCalls {
  /// Returns what calls the DoFn.
  PushbackSideInputDoFnRunner<Object, Object> runner();

  /// Returns the element that a row stands for.
  ///
  /// @param key of the row; null if it has none
  WindowedValue<Object> element(WindowedValue<Object> row, @Nullable Bytes key);

  /// Goes to the key of an element that has waited.
  void goTo(WindowedValue<Object> element);

  /// Has a timer fire.
  void fire(TimerData timer);
}

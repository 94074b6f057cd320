package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// How the rows and timers of a task become calls of a DoFn.
interface FnCalls {
  void startBundle();

  void finishBundle();

  /// Has the DoFn process the element that a row stands for, whose views are there.
  ///
  /// @param key of the row; null if it has none
  void process(WindowedValue<Object> row, @Nullable Bytes key);

  /// Has a timer fire.
  void fire(TimerData timer);
}

package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import org.apache.beam.runners.core.PushbackSideInputDoFnRunner;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// Calls of a DoFn without state.
record PlainCalls(PushbackSideInputDoFnRunner<Object, Object> runner) implements FnCalls {
  @Override
  public WindowedValue<Object> element(WindowedValue<Object> row, @Nullable Bytes key) {
    return row;
  }

  @Override
  public void goTo(WindowedValue<Object> element) {
    // There is nothing by key.
  }

  @Override
  public void fire(TimerData timer) {
    throw new IllegalStateException("A DoFn without timers has one: " + timer);
  }
}

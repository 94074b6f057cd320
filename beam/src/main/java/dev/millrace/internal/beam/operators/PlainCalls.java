package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import org.apache.beam.runners.core.DoFnRunner;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// Calls of a DoFn without state.
record PlainCalls(DoFnRunner<Object, Object> runner) implements FnCalls {
  @Override
  public void startBundle() {
    runner.startBundle();
  }

  @Override
  public void finishBundle() {
    runner.finishBundle();
  }

  @Override
  public void process(WindowedValue<Object> row, @Nullable Bytes key) {
    runner.processElement(row);
  }

  @Override
  public void fire(TimerData timer) {
    throw new IllegalStateException("A DoFn without timers has one: " + timer);
  }
}

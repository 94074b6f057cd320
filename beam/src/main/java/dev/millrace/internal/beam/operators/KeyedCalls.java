package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import java.util.Objects;
import org.apache.beam.runners.core.DoFnRunner;
import org.apache.beam.runners.core.StateNamespaces.WindowNamespace;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.jspecify.annotations.Nullable;

/// Calls of a DoFn with state or timers: its elements are pairs.
record KeyedCalls(DoFnRunner<Object, Object> runner, KeyedWork work) implements FnCalls {
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
    Object object = work.key(Objects.requireNonNull(key));
    runner.processElement(WindowedValues.withValue(row, KV.of(object, row.getValue())));
  }

  @Override
  public void fire(TimerData timer) {
    BoundedWindow window = ((WindowNamespace<?>) timer.getNamespace()).getWindow();
    runner.onTimer(
        timer.getTimerId(),
        timer.getTimerFamilyId(),
        work.state().getKey(),
        window,
        timer.getTimestamp(),
        timer.getOutputTimestamp(),
        timer.getDomain(),
        timer.causedByDrain());
  }
}

package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.state.Coding;
import java.util.Objects;
import org.apache.beam.runners.core.PushbackSideInputDoFnRunner;
import org.apache.beam.runners.core.StateNamespaces.WindowNamespace;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.jspecify.annotations.Nullable;

/// Calls of a DoFn with state or timers: its elements are pairs.
record KeyedCalls(PushbackSideInputDoFnRunner<Object, Object> runner, KeyedWork work, Coder<?> keys)
    implements FnCalls {
  @Override
  public WindowedValue<Object> element(WindowedValue<Object> row, @Nullable Bytes key) {
    Object object = work.key(Objects.requireNonNull(key));
    return WindowedValues.withValue(row, KV.of(object, row.getValue()));
  }

  @Override
  public void goTo(WindowedValue<Object> element) {
    work.key(Coding.bytes(DoFnSpec.coder(keys), ((KV<?, ?>) element.getValue()).getKey()));
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

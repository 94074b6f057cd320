package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.beam.runners.core.DoFnRunners;
import org.apache.beam.runners.core.KeyedWorkItem;
import org.apache.beam.runners.core.KeyedWorkItems;
import org.apache.beam.runners.core.OutputAndTimeBoundedSplittableProcessElementInvoker;
import org.apache.beam.runners.core.PushbackSideInputDoFnRunner;
import org.apache.beam.runners.core.ReadyCheckingSideInputReader;
import org.apache.beam.runners.core.SplittableParDoViaKeyedWorkItems.ProcessFn;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/// Calls of a splittable DoFn: an element and its restriction have a key of their own, are worked
/// on for a while, and go on by a timer.
final class SplittableCalls implements FnCalls {
  private static final int MOST_OUTPUTS = 10_000;
  private static final Duration LONGEST = Duration.millis(100);

  /// Asks those to stop that have worked for so long; it does nothing else.
  private static final ScheduledExecutorService WATCH =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("millrace-beam-split").factory());

  private final PushbackSideInputDoFnRunner<Object, Object> runner;
  private final KeyedWork work;

  /// Makes the function ready and begins.
  SplittableCalls(
      ProcessFn<Object, Object, Object, Object, Object> fn,
      DoFnSpec spec,
      WithState context,
      Emitting emitting,
      ReadyCheckingSideInputReader sides) {
    work = context.work();
    fn.setStateInternalsFactory(_ -> context.stateInternals());
    fn.setTimerInternalsFactory(_ -> context.timerInternals());
    fn.setSideInputReader(sides);
    fn.setProcessElementInvoker(
        new OutputAndTimeBoundedSplittableProcessElementInvoker<>(
            fn.getFn(),
            spec.options(),
            emitting,
            DoFnSpec.tag(spec.main()),
            sides,
            WATCH,
            MOST_OUTPUTS,
            LONGEST,
            context::bundleFinalizer));
    runner =
        erased(
            DoFnRunners.newProcessFnRunner(
                fn,
                spec.options(),
                spec.views(),
                sides,
                emitting,
                DoFnSpec.tag(spec.main()),
                spec.others(),
                context,
                null,
                spec.outputs(),
                spec.windowing(),
                spec.schema(),
                spec.sides()));
  }

  @SuppressWarnings("unchecked")
  private static PushbackSideInputDoFnRunner<Object, Object> erased(
      PushbackSideInputDoFnRunner<?, Object> any) {
    return (PushbackSideInputDoFnRunner<Object, Object>) any;
  }

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
    process(KeyedWorkItems.elementsWorkItem(object, List.of(row)));
  }

  @Override
  public void fire(TimerData timer) {
    process(KeyedWorkItems.timersWorkItem(work.state().getKey(), List.of(timer)));
  }

  private void process(KeyedWorkItem<?, ?> item) {
    Iterable<?> left =
        runner.processElementInReadyWindows(WindowedValues.valueInGlobalWindow(item));
    if (left.iterator().hasNext()) {
      throw new IllegalStateException(
          "A view that was there is not there any more for the rest of " + item.key());
    }
  }
}

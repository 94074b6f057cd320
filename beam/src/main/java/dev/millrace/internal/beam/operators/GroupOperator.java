package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.metrics.StepMetrics;
import dev.millrace.internal.beam.state.KeyedTimers;
import dev.millrace.internal.engine.operators.AsyncOperator;
import dev.millrace.internal.engine.operators.ClockedOperator;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.runners.core.GroupAlsoByWindowsAggregators;
import org.apache.beam.runners.core.LateDataUtils;
import org.apache.beam.runners.core.NullSideInputReader;
import org.apache.beam.runners.core.ReduceFnRunner;
import org.apache.beam.runners.core.StateNamespace;
import org.apache.beam.runners.core.StateNamespaces.WindowNamespace;
import org.apache.beam.runners.core.SystemReduceFn;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.runners.core.triggers.ExecutableTriggerStateMachine;
import org.apache.beam.runners.core.triggers.TriggerStateMachines;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.AppliedCombineFn;
import org.apache.beam.sdk.util.UserCodeException;
import org.apache.beam.sdk.util.construction.TriggerTranslation;
import org.apache.beam.sdk.values.CausedByDrain;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/// Groups or combines the values of each key by windows, and gives panes when triggers say so. The
/// values of a key that come at once are added at once.
public final class GroupOperator implements AsyncOperator, ClockedOperator {
  private final Spec spec;
  private final RunContext run;
  private final StepMetrics metrics;
  private final ExecutableTriggerStateMachine trigger;
  private final SystemReduceFn<Object, Object, ?, Object, BoundedWindow> reduceFn;
  private @Nullable KeyedWork work;
  private @Nullable RowSink sink;

  /// What is grouped.
  ///
  /// @param operator the name of the node
  /// @param step the full name of the transform
  /// @param keys the coder of keys
  /// @param values the coder of values
  /// @param combine how they are combined; null if they are only grouped
  public record Spec(
      String operator,
      String step,
      PipelineOptions options,
      Coder<?> keys,
      Coder<?> values,
      WindowingStrategy<?, ?> windowing,
      @Nullable CombineSpec combine) {}

  private GroupOperator(Spec spec, RunContext run) {
    this.spec = spec;
    this.run = run;
    metrics = run.metrics().of(spec.step());
    trigger =
        ExecutableTriggerStateMachine.create(
            TriggerStateMachines.stateMachineForTrigger(
                TriggerTranslation.toProto(spec.windowing().getTrigger())));
    reduceFn = reduceFn(spec);
  }

  @SuppressWarnings("unchecked") // what comes of grouping is an object, too
  private static SystemReduceFn<Object, Object, ?, Object, BoundedWindow> reduceFn(Spec spec) {
    CombineSpec combine = spec.combine();
    if (combine == null) {
      return (SystemReduceFn<Object, Object, ?, Object, BoundedWindow>)
          (SystemReduceFn<?, ?, ?, ?, ?>) SystemReduceFn.buffering(DoFnSpec.coder(spec.values()));
    }
    return SystemReduceFn.combining(
        DoFnSpec.coder(spec.keys()),
        AppliedCombineFn.withAccumulatorCoder(combine.newFn(), combine.accumulators()));
  }

  /// The operator as a topology carries it.
  public static Declaration declare(Spec spec, RunContext run) {
    return new Declaration(
        () -> new GroupOperator(spec, run),
        KeyedWork.stores(spec.operator()),
        Parameters.of("beam GroupByKey"));
  }

  @Override
  public void open(OperatorContext context) {
    work =
        new KeyedWork(
            context,
            spec.operator(),
            spec.windowing().getWindowFn().windowCoder(),
            spec.keys(),
            _ -> false,
            run.clock(context));
  }

  @Override
  @SuppressWarnings("unchecked")
  public void process(RowCursor rows, RowSink out) {
    Map<Bytes, List<WindowedValue<Object>>> byKey = new LinkedHashMap<>();
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      List<WindowedValue<Object>> values = byKey.get(key);
      if (values == null) {
        values = new ArrayList<>();
        byKey.put(key.copy(), values);
      }
      values.add((WindowedValue<Object>) rows.value());
    }
    counting(
        out,
        () -> {
          for (Map.Entry<Bytes, List<WindowedValue<Object>>> each : byKey.entrySet()) {
            KeyedWork keyed = Opened.store(work);
            Object key = keyed.key(each.getKey());
            ReduceFnRunner<Object, Object, Object, BoundedWindow> runner = runner(key);
            runner.processElements(
                LateDataUtils.dropExpiredWindows(
                    key,
                    each.getValue(),
                    keyed.timers(),
                    spec.windowing(),
                    metrics.counter(
                        GroupAlsoByWindowsAggregators.class,
                        GroupAlsoByWindowsAggregators.DROPPED_DUE_TO_LATENESS_COUNTER)));
            runner.persist();
          }
        });
  }

  /// Something that may fail as user code does.
  private interface Work {
    void run() throws Exception;
  }

  private void counting(RowSink out, Work what) {
    sink = out;
    try (Closeable _ = metrics.counting()) {
      what.run();
      // outermost: user code in windows and triggers may throw whatever it likes
    } catch (Exception e) {
      throw UserCodeException.wrapIf(!(e instanceof RuntimeException), e);
    }
  }

  @SuppressWarnings("unchecked")
  private ReduceFnRunner<Object, Object, Object, BoundedWindow> runner(@Nullable Object key) {
    KeyedWork keyed = Opened.store(work);
    return new ReduceFnRunner<>(
        key,
        (WindowingStrategy<?, BoundedWindow>) spec.windowing(),
        trigger,
        keyed.state(),
        keyed.timers(),
        this::emit,
        NullSideInputReader.of(List.of()),
        reduceFn,
        spec.options());
  }

  private void emit(WindowedValue<KV<Object, Object>> pane) {
    Opened.store(sink).emit(null, pane, 0);
  }

  private void fire(TimerData timer) {
    ReduceFnRunner<Object, Object, Object, BoundedWindow> runner =
        runner(Opened.store(work).state().getKey());
    try {
      runner.onTimers(List.of(timer));
      // outermost: user code in windows and triggers may throw whatever it likes
    } catch (Exception e) {
      throw UserCodeException.wrapIf(!(e instanceof RuntimeException), e);
    }
    runner.persist();
    if (timer.getDomain() == TimeDomain.EVENT_TIME) {
      deleteLastTimerIfOver(timer.getNamespace());
    }
  }

  /// Deletes the timer at the end of a window's lateness if that has passed: the first timer that
  /// fired then gave the last pane, and a second one would give an empty pane more.
  private void deleteLastTimerIfOver(StateNamespace namespace) {
    BoundedWindow window = ((WindowNamespace<?>) namespace).getWindow();
    Instant over = LateDataUtils.garbageCollectionTime(window, spec.windowing());
    KeyedTimers timers = Opened.store(work).timers();
    if (timers.currentInputWatermarkTime().isAfter(over)) {
      TimerData last =
          TimerData.of(namespace, over, over, TimeDomain.EVENT_TIME, CausedByDrain.NORMAL);
      timers.deleteTimer(
          namespace, last.getTimerId(), last.getTimerFamilyId(), TimeDomain.EVENT_TIME);
    }
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    KeyedWork keyed = Opened.store(work);
    if (!keyed.hasDue(watermark)) {
      keyed.advance(watermark);
      return true;
    }
    boolean[] done = new boolean[1];
    counting(out, () -> done[0] = keyed.advance(watermark, budget, this::fire));
    return done[0];
  }

  @Override
  public long dueMillis() {
    return Opened.store(work).dueMillis();
  }

  @Override
  public boolean tick(long nowMillis, int budget, RowSink out) {
    return false; // it waits as long as there is a timer, so #poll is called
  }

  @Override
  public boolean hasRoom() {
    return true;
  }

  @Override
  public boolean isWaiting() {
    return Opened.store(work).isWaiting();
  }

  @Override
  public boolean poll(RowSink out) {
    KeyedWork keyed = Opened.store(work);
    if (!keyed.isDue()) {
      return false;
    }
    counting(out, () -> keyed.tick(this::fire));
    return true;
  }

  @Override
  public long hold() {
    return Opened.store(work).hold();
  }

  @Override
  public long passed() {
    return Opened.store(work).passed();
  }

  @Override
  public void passed(long watermark) {
    Opened.store(work).passed(watermark);
  }

  @Override
  public boolean mark() {
    Opened.store(work).store();
    return true;
  }

  @Override
  public void beforeCommit(long number) {
    Opened.store(work).beforeCommit();
    metrics.beforeCommit();
  }

  @Override
  public boolean afterCommit(long number) {
    metrics.afterCommit();
    return false;
  }

  @Override
  public void close() {
    work = null;
  }
}

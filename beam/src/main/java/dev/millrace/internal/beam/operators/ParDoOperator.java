package dev.millrace.internal.beam.operators;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.metrics.StepMetrics;
import dev.millrace.internal.engine.operators.AsyncOperator;
import dev.millrace.internal.engine.operators.ClockedOperator;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.runners.core.DoFnRunner;
import org.apache.beam.runners.core.DoFnRunners;
import org.apache.beam.runners.core.ReadyCheckingSideInputReader;
import org.apache.beam.runners.core.SplittableParDoViaKeyedWorkItems.ProcessFn;
import org.apache.beam.runners.core.StatefulDoFnRunner;
import org.apache.beam.runners.core.StepContext;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.reflect.DoFnInvokers;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// Gives elements to a DoFn. What it is called for at once is a bundle: so none is open at a
/// commit.
///
/// Its first input has the elements; each other one has what goes to all tasks for a view.
public final class ParDoOperator implements AsyncOperator, ClockedOperator {
  private final DoFnSpec spec;
  private final Place place;
  private final Emitting emitting;
  private final RunContext run;
  private final StepMetrics metrics;
  private final Finalizers finalizers = new Finalizers();

  private @Nullable DoFn<Object, Object> fn;
  private @Nullable KeyedWork work;
  private @Nullable AwaitedViews views;
  private @Nullable FnCalls calls;
  private boolean inBundle;
  private long passed = Long.MIN_VALUE;

  /// Where a DoFn is in the topology.
  ///
  /// @param operator the name of its node
  /// @param keys the coder of the keys, if its state is by key; null otherwise
  /// @param outputs the numbers of the outputs that anybody takes
  /// @param views that it reads, in the order of the inputs behind the first
  /// @param waiting the coder of elements that wait for views
  /// @param parallelism how many tasks send each view
  public record Place(
      String operator,
      @Nullable Coder<?> keys,
      Map<TupleTag<?>, Integer> outputs,
      List<PCollectionView<?>> views,
      Coder<WindowedValue<Object>> waiting,
      int parallelism) {}

  private ParDoOperator(DoFnSpec spec, Place place, RunContext run) {
    this.spec = spec;
    this.place = place;
    this.run = run;
    metrics = run.metrics().of(spec.step());
    emitting = new Emitting(place.outputs());
  }

  /// The operator as a topology carries it.
  public static Declaration declare(DoFnSpec spec, Place place, RunContext run) {
    List<StoreSpec<?, ?>> stores = new ArrayList<>();
    if (place.keys() != null) {
      stores.addAll(KeyedWork.stores(place.operator()));
    }
    if (!place.views().isEmpty()) {
      stores.addAll(AwaitedViews.stores(place.operator()));
    }
    return new Declaration(
        () -> new ParDoOperator(spec, place, run), stores, Parameters.of("beam ParDo"));
  }

  @Override
  public void open(OperatorContext context) {
    DoFn<Object, Object> made = spec.newFn();
    DoFnInvokers.tryInvokeSetupFor(made, spec.options());
    fn = made;
    Coder<? extends BoundedWindow> windows = spec.windowing().getWindowFn().windowCoder();
    boolean expires = DoFnSignatures.signatureForDoFn(made).onWindowExpiration() != null;
    if (place.keys() != null) {
      work =
          new KeyedWork(
              context,
              place.operator(),
              windows,
              place.keys(),
              timer -> holds(made, timer, expires),
              run.clock(context));
    }
    calls = calls(made, sides(context));
  }

  private ReadyCheckingSideInputReader sides(OperatorContext context) {
    if (place.views().isEmpty()) {
      return new NothingToRead();
    }
    AwaitedViews opened =
        new AwaitedViews(
            context,
            place.operator(),
            place.views(),
            place.parallelism(),
            place.waiting(),
            spec.windowing().getWindowFn().windowCoder());
    views = opened;
    return opened.inputs();
  }

  @SuppressWarnings("unchecked")
  private FnCalls calls(DoFn<Object, Object> made, ReadyCheckingSideInputReader reader) {
    WithState state = work == null ? null : new WithState(work, finalizers);
    if ((DoFn<?, ?>) made instanceof ProcessFn<?, ?, ?, ?, ?> splittable) {
      return new SplittableCalls(
          (ProcessFn<Object, Object, Object, Object, Object>) splittable,
          spec,
          Opened.store(state),
          emitting,
          reader);
    }
    DoFnRunner<Object, Object> simple =
        DoFnRunners.simpleRunner(
            spec.options(),
            made,
            reader,
            emitting,
            DoFnSpec.tag(spec.main()),
            spec.others(),
            state == null ? new WithoutState(finalizers) : state,
            DoFnSpec.coder(spec.input()),
            spec.outputs(),
            spec.windowing(),
            spec.schema(),
            spec.sides());
    if (state == null) {
      return new PlainCalls(simple);
    }
    Coder<? extends BoundedWindow> windows = spec.windowing().getWindowFn().windowCoder();
    return new KeyedCalls(stateful(made, simple, state, windows), state.work());
  }

  /// Whether a timer holds event time back: not one that only cleans up, nor one by which an
  /// element goes on that has a hold of its own.
  private static boolean holds(DoFn<?, ?> fn, TimerData timer, boolean expires) {
    return !(fn instanceof ProcessFn<?, ?, ?, ?, ?>)
        && (expires
            || !timer
                .getTimerId()
                .equals(StatefulDoFnRunner.TimeInternalsCleanupTimer.GC_TIMER_ID));
  }

  private <W extends BoundedWindow> DoFnRunner<Object, Object> stateful(
      DoFn<Object, Object> made,
      DoFnRunner<Object, Object> simple,
      StepContext step,
      Coder<W> windows) {
    return DoFnRunners.defaultStatefulDoFnRunner(
        made,
        DoFnSpec.coder(spec.input()),
        simple,
        step,
        spec.windowing(),
        new StatefulDoFnRunner.TimeInternalsCleanupTimer<>(step.timerInternals(), spec.windowing()),
        new StatefulDoFnRunner.StateInternalsStateCleaner<>(made, step.stateInternals(), windows),
        true);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    process(0, rows, out);
  }

  @Override
  public void process(int input, RowCursor rows, RowSink out) {
    inBundle(
        out,
        () -> {
          if (input > 0) {
            take(input - 1, rows);
          } else if (views == null) {
            while (rows.next()) {
              process(element(rows), rows.keyBytes());
            }
          } else {
            while (rows.next()) {
              views.admit(element(rows), rows.keyBytes(), this::process);
            }
          }
        });
  }

  @SuppressWarnings("unchecked")
  private static WindowedValue<Object> element(RowCursor row) {
    return (WindowedValue<Object>) row.value();
  }

  private void process(WindowedValue<Object> element, @Nullable Bytes key) {
    called().process(element, key);
  }

  /// Takes in what has come for a view, and processes what has waited for it.
  private void take(int view, RowCursor rows) {
    AwaitedViews taking = Opened.store(views);
    while (rows.next()) {
      taking.take(view, (SideRow) rows.value());
    }
    taking.release(this::process);
  }

  /// Does something that may give elements to the DoFn, as one bundle.
  private void inBundle(RowSink out, Runnable what) {
    emitting.to(out);
    try (Closeable _ = metrics.counting()) {
      what.run();
      if (inBundle) {
        inBundle = false;
        Opened.store(calls).finishBundle();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns what calls the DoFn, in a bundle: one begins with the first call, as those without
  /// would be of no use.
  private FnCalls called() {
    FnCalls called = Opened.store(calls);
    if (!inBundle) {
      inBundle = true;
      called.startBundle();
    }
    return called;
  }

  private void fire(TimerData timer) {
    called().fire(timer);
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    KeyedWork keyed = work;
    if (keyed == null) {
      return true;
    }
    if (!keyed.hasDue(watermark)) {
      keyed.advance(watermark);
      return true;
    }
    boolean[] done = new boolean[1];
    inBundle(out, () -> done[0] = keyed.advance(watermark, budget, this::fire));
    return done[0];
  }

  @Override
  public long dueMillis() {
    return work == null ? Long.MAX_VALUE : work.dueMillis();
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
    return (work != null && work.isWaiting()) || hold() < Long.MAX_VALUE;
  }

  @Override
  public boolean poll(RowSink out) {
    boolean releases = views != null && views.mayRelease();
    boolean ticks = work != null && work.isDue();
    if (releases || ticks) {
      inBundle(
          out,
          () -> {
            if (releases) {
              Opened.store(views).release(this::process);
            }
            if (ticks) {
              Opened.store(work).tick(this::fire);
            }
          });
    }
    return releases || ticks;
  }

  @Override
  public long hold() {
    return Math.min(
        work == null ? Long.MAX_VALUE : work.hold(), views == null ? Long.MAX_VALUE : views.hold());
  }

  @Override
  public long passed() {
    return work == null ? passed : work.passed();
  }

  @Override
  public void passed(long watermark) {
    passed = watermark;
    if (work != null) {
      work.passed(watermark);
    }
  }

  @Override
  public boolean mark() {
    if (work != null) {
      work.store();
    }
    if (views != null) {
      views.store();
    }
    return true;
  }

  @Override
  public void beforeCommit(long number) {
    if (work != null) {
      work.beforeCommit();
    }
    if (views != null) {
      views.store();
    }
    finalizers.beforeCommit();
    metrics.beforeCommit();
  }

  @Override
  public boolean afterCommit(long number) {
    finalizers.afterCommit();
    metrics.afterCommit();
    return false;
  }

  @Override
  public void close() {
    DoFn<Object, Object> closing = fn;
    fn = null;
    if (closing != null) {
      DoFnInvokers.invokerFor(closing).invokeTeardown();
    }
  }
}

package dev.millrace.internal.beam.portable.stage;

import dev.millrace.api.StoreSpec;
import dev.millrace.internal.beam.operators.AwaitedViews;
import dev.millrace.internal.beam.operators.KeyedWork;
import dev.millrace.internal.beam.operators.SideRow;
import dev.millrace.internal.engine.operators.AsyncOperator;
import dev.millrace.internal.engine.operators.ClockedOperator;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.beam.runners.fnexecution.control.JobBundleFactory;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// Gives elements to a stage, which runs in a harness. What it is called for at once is a bundle,
/// and it returns when the harness has processed all of it: so none is open at a commit.
///
/// Its first input has the elements; each other one has what goes to all tasks for a view.
public final class StageOperator implements AsyncOperator, ClockedOperator {
  private final StageSpec spec;
  private final Supplier<JobBundleFactory> job;
  private final StageMetrics metrics;
  private @Nullable StageTask task;
  private long passed = Long.MIN_VALUE;

  private StageOperator(StageSpec spec, Supplier<JobBundleFactory> job, PipelineMetrics metrics) {
    this.spec = spec;
    this.job = job;
    this.metrics = metrics.of(spec.step());
  }

  /// Returns the operator as a topology carries it.
  ///
  /// @param job gives what the harnesses of the pipeline are reached by
  public static Declaration declare(
      StageSpec spec, Supplier<JobBundleFactory> job, PipelineMetrics metrics) {
    List<StoreSpec<?, ?>> stores = new ArrayList<>();
    if (spec.keys() != null || spec.isSplittable()) {
      stores.addAll(KeyedWork.stores(spec.operator()));
    }
    if (!spec.views().isEmpty()) {
      stores.addAll(AwaitedViews.stores(spec.operator()));
    }
    return new Declaration(
        () -> new StageOperator(spec, job, metrics), stores, Parameters.of("beam stage"));
  }

  @Override
  public void open(OperatorContext context) {
    task = new StageTask(spec, context, job.get(), metrics);
  }

  private StageTask task() {
    return Opened.store(task);
  }

  private @Nullable KeyedWork work() {
    return task().work();
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    process(0, rows, out);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void process(int input, RowCursor rows, RowSink out) {
    StageTask open = task();
    if (input == 0) {
      while (rows.next()) {
        open.element((WindowedValue<Object>) rows.value());
      }
    } else {
      while (rows.next()) {
        open.view(input - 1, (SideRow) rows.value());
      }
      open.release();
    }
    open.flush(out);
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    KeyedWork work = work();
    if (work == null) {
      return true;
    }
    if (!work.hasDue(watermark)) {
      work.advance(watermark);
      return true;
    }
    boolean done = work.advance(watermark, budget, task()::fire);
    task().flush(out);
    // The harness may have set timers whose time has come already.
    return done && !work.hasDue(watermark);
  }

  @Override
  public long dueMillis() {
    KeyedWork work = work();
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
    KeyedWork work = work();
    return (work != null && work.isWaiting()) || hold() < Long.MAX_VALUE;
  }

  @Override
  public boolean poll(RowSink out) {
    KeyedWork work = work();
    boolean releases = task().mayRelease();
    boolean ticks = work != null && work.isDue();
    if (releases) {
      task().release();
    }
    if (ticks) {
      Opened.store(work).tick(task()::fire);
    }
    task().flush(out);
    return releases || ticks;
  }

  @Override
  public long hold() {
    KeyedWork work = work();
    return Math.min(work == null ? Long.MAX_VALUE : work.hold(), task().hold());
  }

  @Override
  public long passed() {
    KeyedWork work = work();
    return work == null ? passed : work.passed();
  }

  @Override
  public void passed(long watermark) {
    passed = watermark;
    KeyedWork work = work();
    if (work != null) {
      work.passed(watermark);
    }
  }

  @Override
  public boolean mark() {
    task().store();
    return true;
  }

  @Override
  public void beforeCommit(long number) {
    task().beforeCommit();
  }

  @Override
  public boolean afterCommit(long number) {
    task().afterCommit();
    return false;
  }

  @Override
  public void close() {
    StageTask closing = task;
    task = null;
    if (closing != null) {
      closing.close();
    }
  }
}

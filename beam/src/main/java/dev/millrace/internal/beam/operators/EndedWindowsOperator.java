package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.metrics.StepMetrics;
import dev.millrace.internal.beam.state.BytesInput;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.beam.runners.core.GroupAlsoByWindowsAggregators;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.jspecify.annotations.Nullable;

/// Groups or combines the values of each key by windows that have one result each, when they have
/// ended: most of them do. [GroupOperator] does what other triggers and late results need.
public final class EndedWindowsOperator implements Operator {
  private final Counter dropped =
      Metrics.counter(
          GroupAlsoByWindowsAggregators.class,
          GroupAlsoByWindowsAggregators.DROPPED_DUE_TO_LATENESS_COUNTER);
  private final Spec spec;
  private final StepMetrics metrics;
  private final Envelope envelope;
  private final Bytes value = new Bytes();
  private @Nullable KeptWindows windows;
  private long watermark;

  /// What is grouped.
  ///
  /// @param step the full name of the transform
  private record Spec(String step, Coder<?> keys, KeptWindows.Spec windows) {}

  private EndedWindowsOperator(Spec spec, RunContext run) {
    this.spec = spec;
    metrics = run.metrics().of(spec.step());
    envelope = new Envelope(spec.windows().windowFn().windowCoder());
  }

  /// Whether it may group elements of a windowing.
  public static boolean canDo(WindowingStrategy<?, ?> windowing) {
    return KeptWindows.are(windowing);
  }

  /// The operator that groups values, as a topology carries it.
  ///
  /// @param of what is grouped
  public static Declaration grouping(GroupOperator.Spec of, RunContext run) {
    Gathering.Kind kind = GatheredValues.kind(of.operator(), of.values());
    return declare(
        new Spec(of.step(), of.keys(), KeptWindows.Spec.of(of.operator(), of.windowing(), kind)),
        run);
  }

  /// The operator that combines values, of which accumulators come, as a topology carries it.
  ///
  /// @param operator the name of the node
  /// @param keys the coder of keys
  public static Declaration combining(
      String operator,
      Coder<?> keys,
      WindowingStrategy<?, ?> windowing,
      CombineSpec combine,
      RunContext run) {
    Gathering.Kind kind = CombinedValues.kind(combine);
    return declare(
        new Spec(combine.step(), keys, KeptWindows.Spec.of(operator, windowing, kind)), run);
  }

  private static Declaration declare(Spec spec, RunContext run) {
    return new Declaration(
        () -> new EndedWindowsOperator(spec, run),
        spec.windows().stores(),
        Parameters.of("beam ended windows"));
  }

  @Override
  public void open(OperatorContext context) {
    windows =
        spec.windows().merges()
            ? new MergingWindows(context, spec.windows())
            : new ApartWindows(context, spec.windows());
    watermark = context.watermark();
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    KeptWindows open = Opened.store(windows);
    counting(() -> {
      while (rows.next()) {
        BytesInput in = new BytesInput((Bytes) rows.value(), 0);
        Enveloped around = envelope.read(in);
        in.view(value, in.available());
        Bytes key = Opened.key(rows);
        for (BoundedWindow window : around.windows()) {
          if (window.maxTimestamp().getMillis() < watermark) {
            dropped.inc();
          } else {
            open.add(window, key, value);
          }
        }
      }
      open.sliceEnds();
    });
  }

  @Override
  public boolean advance(long to, int budget, RowSink out) {
    watermark = to;
    boolean[] done = new boolean[1];
    KeptWindows open = Opened.store(windows);
    counting(() ->
        done[0] =
            open.advance(to, budget, (key, window, result) -> emit(key, window, result, out)));
    return done[0];
  }

  private void emit(Bytes key, BoundedWindow window, Object result, RowSink out) {
    out.emit(
        null,
        WindowedValues.of(
            KV.of(Coding.read(spec.keys(), key, 0), result),
            window.maxTimestamp(),
            window,
            PaneInfo.ON_TIME_AND_ONLY_FIRING),
        0);
  }

  private void counting(Runnable what) {
    try (Closeable _ = metrics.counting()) {
      what.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void beforeCommit(long number) {
    metrics.beforeCommit();
  }

  @Override
  public boolean afterCommit(long number) {
    metrics.afterCommit();
    return false;
  }

  @Override
  public void close() {
    windows = null;
  }
}

package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.metrics.StepMetrics;
import dev.millrace.internal.beam.state.BytesInput;
import dev.millrace.internal.beam.state.BytesSerde;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.engine.operators.Aggregates;
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
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.jspecify.annotations.Nullable;

/// Groups or combines the values of each key by windows that have one result each, when they have
/// ended: most of them do. [GroupOperator] does what other triggers, late results and windows that
/// merge need.
public final class EndedWindowsOperator implements Operator {
  private final Spec spec;
  private final StepMetrics metrics;
  private final Gathering gathering;
  private final Envelope envelope;
  private final Bytes value = new Bytes();
  private @Nullable EndingWindows windows;
  private @Nullable KeyValueStore<Bytes, Object> store;
  private @Nullable Aggregates kept;

  /// What is grouped.
  ///
  /// @param operator the name of the node
  /// @param step the full name of the transform
  private record Spec(
      String operator,
      String step,
      Coder<?> keys,
      Coder<? extends BoundedWindow> windowCoder,
      Gathering.Kind kind) {
    StoreSpec<Bytes, Object> store() {
      return StoreSpec.keyValue(operator + "-kept", BytesSerde.INSTANCE, kind.serde());
    }
  }

  private EndedWindowsOperator(Spec spec, RunContext run) {
    this.spec = spec;
    metrics = run.metrics().of(spec.step());
    gathering = spec.kind().create();
    envelope = new Envelope(spec.windowCoder());
  }

  /// Whether it may group elements of a windowing.
  public static boolean canDo(WindowingStrategy<?, ?> windowing) {
    return EndingWindows.are(windowing);
  }

  /// The operator that groups values, as a topology carries it.
  ///
  /// @param of what is grouped
  public static Declaration grouping(GroupOperator.Spec of, RunContext run) {
    Gathering.Kind kind = GatheredValues.kind(of.operator(), of.values());
    return declare(
        new Spec(of.operator(), of.step(), of.keys(), windowCoder(of.windowing()), kind), run);
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
    return declare(new Spec(operator, combine.step(), keys, windowCoder(windowing), kind), run);
  }

  private static Coder<? extends BoundedWindow> windowCoder(WindowingStrategy<?, ?> windowing) {
    return windowing.getWindowFn().windowCoder();
  }

  private static Declaration declare(Spec spec, RunContext run) {
    List<StoreSpec<?, ?>> stores = new ArrayList<>(EndingWindows.stores(spec.operator()));
    stores.addAll(spec.kind().stores());
    stores.add(spec.store());
    return new Declaration(
        () -> new EndedWindowsOperator(spec, run), stores, Parameters.of("beam ended windows"));
  }

  @Override
  public void open(OperatorContext context) {
    windows = new EndingWindows(context, spec.operator(), spec.windowCoder());
    store = context.store(spec.store());
    kept = context.aggregates(spec.store());
    gathering.open(context);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    EndingWindows open = Opened.store(windows);
    Aggregates aggregates = Opened.store(kept);
    counting(() -> {
      while (rows.next()) {
        BytesInput in = new BytesInput((Bytes) rows.value(), 0);
        Enveloped around = envelope.read(in);
        in.view(value, in.available());
        Bytes key = Opened.key(rows);
        for (BoundedWindow window : around.windows()) {
          if (!open.drops(window)) {
            add(window, open.place(window, key), aggregates);
          }
        }
      }
    });
  }

  private void add(BoundedWindow window, Bytes at, Aggregates aggregates) {
    Object before = aggregates.find(at);
    if (before == null) {
      Opened.store(windows).begin(window, at);
    }
    aggregates.replace(at, gathering.add(before, at, value));
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    boolean[] done = new boolean[1];
    EndingWindows open = Opened.store(windows);
    counting(() -> done[0] = open.advance(watermark, budget, at -> emit(at, out)));
    return done[0];
  }

  private void emit(Bytes at, RowSink out) {
    EndingWindows open = Opened.store(windows);
    BoundedWindow window = open.window(at);
    Object key = Coding.read(spec.keys(), open.key(at), 0);
    Object result = gathering.result(Opened.store(Opened.store(store).get(at)), at);
    Opened.store(store).delete(at);
    out.emit(
        null,
        WindowedValues.of(
            KV.of(key, result), window.maxTimestamp(), window, PaneInfo.ON_TIME_AND_ONLY_FIRING),
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
    store = null;
    kept = null;
  }
}

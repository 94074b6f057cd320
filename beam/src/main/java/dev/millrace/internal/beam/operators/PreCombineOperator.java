package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.metrics.StepMetrics;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.ReshuffleTrigger;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.transforms.windowing.Trigger;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;

/// Combines the values of a slice by keys and windows before they are sent: what goes on are
/// accumulators, with the bytes of their keys.
public final class PreCombineOperator implements Operator {
  private final CombineCalls fn;
  private final StepMetrics metrics;
  private final Coder<Object> keys;
  private final BytesWriter written = new BytesWriter(64);
  private final Bytes key = new Bytes();

  private PreCombineOperator(CombineSpec spec, Coder<?> keys, RunContext run) {
    fn = spec.calls();
    metrics = run.metrics().of(spec.step());
    this.keys = DoFnSpec.coder(keys);
  }

  /// Whether values of a windowing may come together: where no trigger counts them, no window is
  /// another one for each of them, and nobody asks for their timestamps.
  public static boolean canDo(WindowingStrategy<?, ?> windowing) {
    return !windowing.needsMerge()
        && windowing.getTimestampCombiner() == TimestampCombiner.END_OF_WINDOW
        && !counts(windowing.getTrigger());
  }

  private static boolean counts(Trigger trigger) {
    return trigger instanceof AfterPane
        || trigger instanceof ReshuffleTrigger
        || trigger.subTriggers().stream().anyMatch(PreCombineOperator::counts);
  }

  /// The operator as a topology carries it.
  public static Declaration declare(CombineSpec spec, Coder<?> keys, RunContext run) {
    return new Declaration(
        () -> new PreCombineOperator(spec, keys, run),
        List.of(),
        Parameters.of("beam values before they are sent"));
  }

  @Override
  public void open(OperatorContext context) {
    // It keeps nothing.
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    try (Closeable _ = metrics.counting()) {
      combined(rows)
          .forEach((window, of) ->
              of.forEach((to, accumulator) -> {
                KV<?, ?> pair = KV.of(null, fn.compact(accumulator));
                out.emit(
                    to,
                    WindowedValues.of(pair, window.maxTimestamp(), window, PaneInfo.NO_FIRING),
                    0);
              }));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<BoundedWindow, Map<Bytes, Object>> combined(RowCursor rows) {
    Map<BoundedWindow, Map<Bytes, Object>> all = new HashMap<>();
    while (rows.next()) {
      WindowedValue<?> element = (WindowedValue<?>) rows.value();
      KV<?, ?> pair = (KV<?, ?>) element.getValue();
      written.clear();
      Coding.write(keys, pair.getKey(), written);
      written.view(key, 0);
      for (BoundedWindow window : element.getWindows()) {
        add(all.computeIfAbsent(window, _ -> new HashMap<>()), pair.getValue());
      }
    }
    return all;
  }

  private void add(Map<Bytes, Object> of, Object value) {
    Object before = of.get(key);
    if (before == null) {
      of.put(key.copy(), fn.first(value));
    } else {
      of.replace(key, fn.add(before, value));
    }
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
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
    // It holds nothing.
  }
}

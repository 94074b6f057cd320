package dev.millrace.internal.beam.operators;

import dev.millrace.internal.engine.operators.RowSink;
import java.util.Map;
import org.apache.beam.sdk.util.WindowedValueMultiReceiver;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowedValue;
import org.jspecify.annotations.Nullable;

/// Emits what a transform gives as rows. Where there are several outputs, each element says to
/// which of them it goes.
///
/// The time of a row is always 0: that of an element may lie where the engine's cannot, and goes
/// with it.
final class Emitting implements WindowedValueMultiReceiver {
  private final Map<TupleTag<?>, Integer> numbers;
  private final boolean tells;
  private @Nullable RowSink sink;

  /// @param numbers of the outputs that anybody takes
  Emitting(Map<TupleTag<?>, Integer> numbers) {
    this.numbers = numbers;
    tells = numbers.size() > 1;
  }

  /// Emits to a sink from now on.
  void to(RowSink out) {
    sink = out;
  }

  @Override
  public <T> void output(TupleTag<T> tag, WindowedValue<T> element) {
    Integer number = numbers.get(tag);
    if (number != null) {
      RowSink out = sink;
      if (out == null) {
        throw new IllegalStateException("An element was given outside of a bundle.");
      }
      out.emit(null, tells ? new Tagged(number, element) : element, 0);
    }
  }
}

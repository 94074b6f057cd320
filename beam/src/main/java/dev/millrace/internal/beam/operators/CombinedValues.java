package dev.millrace.internal.beam.operators;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.state.BytesInput;
import dev.millrace.internal.beam.state.CodedSerde;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.jspecify.annotations.Nullable;

/// The accumulator of a key in a window. Accumulators come to it, each of some of the values.
final class CombinedValues implements Gathering {
  private final CombineCalls fn;
  private final Coder<Object> accumulators;

  private CombinedValues(CombineCalls fn, Coder<Object> accumulators) {
    this.fn = fn;
    this.accumulators = accumulators;
  }

  /// Values that a function combines, for a topology.
  static Kind kind(CombineSpec spec) {
    return new Kind() {
      @Override
      public Gathering create() {
        return new CombinedValues(spec.calls(), spec.accumulators());
      }

      @Override
      public Serde<Object> serde() {
        return new CodedSerde<>("beam:accumulator", spec.accumulators());
      }

      @Override
      public List<StoreSpec<?, ?>> stores() {
        return List.of();
      }
    };
  }

  @Override
  public void open(OperatorContext context) {
    // It has no stores besides.
  }

  @Override
  public Object add(@Nullable Object kept, Bytes at, Bytes value) {
    Object accumulator = Coding.read(accumulators, new BytesInput(value, 0));
    return kept == null ? accumulator : fn.merge(kept, accumulator);
  }

  @Override
  public Object merge(Object kept, Bytes at, Object added, Bytes from) {
    return fn.merge(kept, added);
  }

  @Override
  public Object result(Object kept, Bytes at) {
    return fn.result(kept);
  }
}

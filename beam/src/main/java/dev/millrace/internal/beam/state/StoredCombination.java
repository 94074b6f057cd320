package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.CombiningState;
import org.apache.beam.sdk.state.ReadableState;
import org.apache.beam.sdk.transforms.Combine.CombineFn;

/// An accumulator.
record StoredCombination<I, A, O>(
    Cells cells, Bytes place, Coder<A> coder, CombineFn<I, A, O> combining)
    implements CombiningState<I, A, O> {
  @Override
  public void add(I element) {
    cells.put(place, coder, combining.addInput(getAccum(), element));
  }

  @Override
  public A getAccum() {
    A found = cells.get(place, coder);
    return found == null ? combining.createAccumulator() : found;
  }

  @Override
  public void addAccum(A other) {
    cells.put(place, coder, combining.mergeAccumulators(List.of(getAccum(), other)));
  }

  @Override
  public A mergeAccumulators(Iterable<A> accumulators) {
    return combining.mergeAccumulators(accumulators);
  }

  @Override
  public O read() {
    return combining.extractOutput(getAccum());
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> !cells.isSet(place));
  }

  @Override
  public CombiningState<I, A, O> readLater() {
    return this;
  }

  @Override
  public void clear() {
    cells.delete(place);
  }
}

package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import java.util.Arrays;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.CombiningState;
import org.apache.beam.sdk.state.ReadableState;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.jspecify.annotations.Nullable;

/// An accumulator.
final class StoredCombination<I, A, O> implements CombiningState<I, A, O>, Pending {
  private final Cells cells;
  private final Bytes place;
  private final Coder<A> coder;
  private final CombineFn<I, A, O> combining;

  /// Whether each change is stored at once, as nobody stores it later.
  private final boolean atOnce;

  private @Nullable A accumulator;
  private boolean known;
  private boolean changed;
  private int bytes = UNKNOWN;

  StoredCombination(
      Cells cells, Bytes place, Coder<A> coder, CombineFn<I, A, O> combining, boolean atOnce) {
    this.cells = cells;
    this.place = place;
    this.coder = coder;
    this.combining = combining;
    this.atOnce = atOnce;
  }

  private @Nullable A found() {
    if (!known) {
      Bytes found = cells.find(place);
      accumulator = found == null ? null : Cells.value(coder, found);
      bytes = found == null ? 0 : found.length();
      known = true;
    }
    return accumulator;
  }

  private void set(@Nullable A now) {
    accumulator = now;
    known = true;
    changed = true;
    bytes = bytes == 0 ? UNKNOWN : bytes;
    if (atOnce) {
      store();
    }
  }

  @Override
  public void add(I element) {
    set(combining.addInput(getAccum(), element));
  }

  @Override
  public A getAccum() {
    A found = found();
    return found == null ? combining.createAccumulator() : found;
  }

  @Override
  public void addAccum(A other) {
    set(combining.mergeAccumulators(Arrays.asList(getAccum(), other)));
  }

  @Override
  public A mergeAccumulators(Iterable<A> accumulators) {
    return combining.mergeAccumulators(accumulators);
  }

  /// Returns the result of a copy: a function may change the accumulator of which it makes one.
  @Override
  public O read() {
    return combining.extractOutput(
        combining.mergeAccumulators(Arrays.asList(combining.createAccumulator(), getAccum())));
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> found() == null);
  }

  @Override
  public CombiningState<I, A, O> readLater() {
    return this;
  }

  @Override
  public void clear() {
    set(null);
  }

  @Override
  public void store() {
    if (changed) {
      changed = false;
      bytes = cells.set(place, coder, accumulator);
    }
  }

  @Override
  public int bytes() {
    return bytes;
  }
}

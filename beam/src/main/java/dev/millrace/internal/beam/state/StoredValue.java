package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.ValueState;
import org.jspecify.annotations.Nullable;

/// One value.
record StoredValue<T>(Cells cells, Bytes place, Coder<T> coder) implements ValueState<T> {
  @Override
  public void write(T value) {
    cells.put(place, coder, value);
  }

  @Override
  public @Nullable T read() {
    return cells.get(place, coder);
  }

  @Override
  public ValueState<T> readLater() {
    return this;
  }

  @Override
  public void clear() {
    cells.delete(place);
  }
}

package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.ValueState;
import org.jspecify.annotations.Nullable;

/// One value.
final class StoredValue<T> implements ValueState<T>, Pending {
  private final Cells cells;
  private final Bytes place;
  private final Coder<T> coder;
  private @Nullable T value;
  private boolean known;
  private boolean changed;
  private int bytes = UNKNOWN;

  StoredValue(Cells cells, Bytes place, Coder<T> coder) {
    this.cells = cells;
    this.place = place;
    this.coder = coder;
  }

  @Override
  public void write(T now) {
    set(now);
  }

  private void set(@Nullable T now) {
    value = now;
    known = true;
    changed = true;
    bytes = bytes == 0 ? UNKNOWN : bytes;
  }

  @Override
  public @Nullable T read() {
    if (!known) {
      Bytes found = cells.find(place);
      value = found == null ? null : Cells.value(coder, found);
      bytes = found == null ? 0 : found.length();
      known = true;
    }
    return value;
  }

  @Override
  public ValueState<T> readLater() {
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
      bytes = cells.set(place, coder, value);
    }
  }

  @Override
  public int bytes() {
    return bytes;
  }
}

package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.ReadableState;

/// Elements in the order in which they were added: an entry each, numbered.
record StoredBag<T>(Cells cells, Bytes place, Coder<T> coder) implements BagState<T> {
  @Override
  public void add(T element) {
    long number = cells.number(place);
    cells.putNumber(place, number + 1);
    cells.putEntry(Cells.at(place, number), coder, element);
  }

  @Override
  public Iterable<T> read() {
    return cells.number(place) == 0 ? List.of() : cells.entries(place, coder);
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> cells.number(place) == 0);
  }

  @Override
  public BagState<T> readLater() {
    return this;
  }

  @Override
  public void clear() {
    if (cells.number(place) > 0) {
      cells.delete(place);
      cells.clearEntries(place);
    }
  }
}

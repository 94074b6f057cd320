package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.ReadableState;
import org.apache.beam.sdk.state.ReadableStates;
import org.apache.beam.sdk.state.SetState;

/// Elements without doubles, told apart by their bytes.
record StoredSet<T>(Cells cells, Bytes place, Coder<T> coder) implements SetState<T> {
  private Bytes at(T element) {
    return Cells.at(place, Coding.bytes(coder, element));
  }

  @Override
  public ReadableState<Boolean> contains(T element) {
    return new Read<>(() -> cells.hasEntry(at(element)));
  }

  @Override
  public ReadableState<Boolean> addIfAbsent(T element) {
    boolean absent = !cells.hasEntry(at(element));
    if (absent) {
      add(element);
    }
    return ReadableStates.immediate(absent);
  }

  @Override
  public void add(T element) {
    cells.putEntry(at(element), coder, element);
  }

  @Override
  public void remove(T element) {
    cells.deleteEntry(at(element));
  }

  @Override
  public Iterable<T> read() {
    return cells.entries(place, coder);
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> !cells.anyEntry(place));
  }

  @Override
  public SetState<T> readLater() {
    return this;
  }

  @Override
  public void clear() {
    cells.clearEntries(place);
  }
}

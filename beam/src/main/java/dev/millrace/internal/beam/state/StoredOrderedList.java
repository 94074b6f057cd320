package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.OrderedListState;
import org.apache.beam.sdk.state.ReadableState;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Instant;

/// Elements in the order of their timestamps, then in that in which they were added: an entry each,
/// under both.
record StoredOrderedList<T>(
    Cells cells, Bytes place, TimestampedValue.TimestampedValueCoder<T> coder)
    implements OrderedListState<T> {
  StoredOrderedList(Cells cells, Bytes place, Coder<T> elements) {
    this(cells, place, TimestampedValue.TimestampedValueCoder.of(elements));
  }

  private Bytes from(Instant time) {
    return Cells.at(place, time.getMillis());
  }

  @Override
  public void add(TimestampedValue<T> element) {
    long number = cells.number(place);
    cells.putNumber(place, number + 1);
    cells.putEntry(Cells.at(from(element.getTimestamp()), number), coder, element);
  }

  @Override
  public Iterable<TimestampedValue<T>> read() {
    return cells.entries(place, coder);
  }

  @Override
  public Iterable<TimestampedValue<T>> readRange(Instant from, Instant to) {
    List<TimestampedValue<T>> all = new ArrayList<>();
    cells.walk(from(from), from(to), (_, value) -> all.add(Cells.value(coder, value)));
    return all;
  }

  @Override
  public void clearRange(Instant from, Instant to) {
    cells.clearEntries(from(from), from(to));
  }

  @Override
  public OrderedListState<T> readRangeLater(Instant from, Instant to) {
    return this;
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> !cells.anyEntry(place));
  }

  @Override
  public OrderedListState<T> readLater() {
    return this;
  }

  @Override
  public void clear() {
    cells.delete(place);
    cells.clearEntries(place);
  }
}

package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.state.Cells.Span;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.ReadableState;

/// Elements in the order in which they were added: an entry each, numbered. Few of them are read at
/// once; where there are more, they are read as somebody iterates over them. What was read does not
/// change by what is added later or by a [#clear], until the next commit.
record StoredBag<T>(Cells cells, Bytes place, Coder<T> coder) implements BagState<T> {
  /// So many elements are few.
  static final int AT_ONCE = 1_000;

  @Override
  public void add(T element) {
    Span span = cells.span(place);
    cells.putSpan(place, new Span(span.first(), span.next() + 1));
    cells.putEntry(Cells.at(place, span.next()), coder, element);
  }

  @Override
  public Iterable<T> read() {
    Span span = cells.span(place);
    return span.size() <= AT_ONCE
        ? cells.entries(place, span, coder)
        : new ReadInPieces<>(cells, place, span, coder);
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> cells.span(place).size() == 0);
  }

  @Override
  public BagState<T> readLater() {
    return this;
  }

  @Override
  public void clear() {
    Span span = cells.span(place);
    if (span.next() == 0) {
      return;
    }
    if (span.size() > AT_ONCE) {
      cells.clearLater(place, span); // somebody may iterate over them still
    } else {
      cells.clearEntries(place, span);
    }
    if (cells.isToClear(place)) {
      cells.putSpan(place, new Span(span.next(), span.next()));
    } else {
      cells.delete(place);
    }
  }
}

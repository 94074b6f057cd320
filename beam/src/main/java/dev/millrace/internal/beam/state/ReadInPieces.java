package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.beam.state.Cells.Span;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;

/// Elements of a bag that are read as somebody iterates over them, some pieces at a time.
record ReadInPieces<T>(Cells cells, Bytes place, Span span, Coder<T> coder) implements Iterable<T> {
  @Override
  public Iterator<T> iterator() {
    return new Pieces();
  }

  private final class Pieces implements Iterator<T> {
    private List<T> some = List.of();
    private int at;

    /// The number of the first piece behind these.
    private long next = span.first();

    @Override
    public boolean hasNext() {
      return at < some.size() || next < span.next();
    }

    @Override
    public T next() {
      if (at == some.size()) {
        if (next >= span.next()) {
          throw new NoSuchElementException();
        }
        long end = Math.min(span.next(), next + StoredBag.AT_ONCE);
        some = StoredBag.elements(cells, place, new Span(next, end), coder);
        at = 0;
        next = end;
      }
      return some.get(at++);
    }
  }
}

package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.beam.state.Cells.Span;
import dev.millrace.internal.engine.operators.Frames;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.ReadableState;

/// Elements in the order in which they were added, one behind the other in numbered pieces. The
/// last ones are gathered in memory. Few pieces are read at once; where there are more, they are
/// read as somebody iterates over them. What was read does not change by what is added later or by
/// a [#clear], until the next commit.
final class StoredBag<T> implements BagState<T>, Pending {
  /// So many pieces are few.
  static final int AT_ONCE = 64;

  private static final int PIECE_BYTES = 16 << 10;

  private final Cells cells;
  private final Bytes place;
  private final Coder<T> coder;

  /// What is not stored yet.
  private BytesWriter gathered = new BytesWriter(64);

  /// How many bytes are those of whole elements, and how many these are.
  private int end;

  private int count;

  StoredBag(Cells cells, Bytes place, Coder<T> coder) {
    this.cells = cells;
    this.place = place;
    this.coder = coder;
  }

  @Override
  public void add(T element) {
    gathered.truncate(end);
    Coding.write(coder, element, gathered);
    if (end > 0 && gathered.length() > PIECE_BYTES) {
      BytesWriter whole = gathered;
      int start = end;
      store();
      gathered.write(whole.array(), start, whole.length() - start);
    }
    end = gathered.length();
    count++;
  }

  @Override
  public void store() {
    if (count == 0) {
      return;
    }
    BytesWriter piece = new BytesWriter(Integer.BYTES + end);
    piece.writeInt(count);
    piece.write(gathered.array(), 0, end);
    Span span = cells.span(place);
    cells.putPiece(Cells.at(place, span.next()), piece.view(new Bytes(), 0));
    cells.putSpan(place, new Span(span.first(), span.next() + 1));
    forget();
  }

  private void forget() {
    gathered = new BytesWriter(64);
    end = 0;
    count = 0;
  }

  @Override
  public int bytes() {
    return end;
  }

  @Override
  public Iterable<T> read() {
    store();
    Span span = cells.span(place);
    return span.size() <= AT_ONCE
        ? elements(cells, place, span, coder)
        : new ReadInPieces<>(cells, place, span, coder);
  }

  /// Returns the elements of some pieces.
  static <T> List<T> elements(Cells cells, Bytes place, Span span, Coder<T> coder) {
    if (span.size() == 0) {
      return List.of();
    }
    List<T> all = new ArrayList<>();
    cells.walk(
        Cells.at(place, span.first()),
        Cells.at(place, span.next()),
        (_, piece) -> {
          int many = new Frames.Reader(piece).readInt();
          BytesInput in = new BytesInput(piece, Integer.BYTES);
          for (int i = 0; i < many; i++) {
            all.add(Coding.read(coder, in));
          }
        });
    return all;
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> count == 0 && cells.span(place).size() == 0);
  }

  @Override
  public BagState<T> readLater() {
    return this;
  }

  @Override
  public void clear() {
    forget();
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

package dev.millrace.internal.engine.operators;

import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;

/// The windows of rows as keys of a store, their places: they begin with a time, see [TimeKey], and
/// lie in the order in which windows end. One instance shows one place at a time.
public interface WindowPlaces {

  @FunctionalInterface
  interface Visitor {
    /// @param place valid during the call
    void window(Bytes place, RowCursor row);
  }

  /// Shows each window of a row that is not gone, the last one first.
  ///
  /// @return whether there was any; otherwise the row is too late
  boolean visit(RowCursor row, long watermark, Visitor visitor);

  /// The start of the last window that holds a row.
  long lastStart(RowCursor row);

  /// Whether no record for a window is expected any more.
  boolean closed(Bytes place, long watermark);

  /// The last time that places of closed windows begin with; `Long.MIN_VALUE` before all windows.
  long lastClosed(long watermark);

  /// The same of windows that nothing corrects any more.
  long lastGone(long watermark);

  Window window(Bytes place);

  /// Moves `key` over the row's key in a place.
  Bytes rowKey(Bytes place, Bytes key);

  /// What places are called where they are kept: what goes before the key.
  String format();

  /// Has a store read what it has of the rows' windows, if that pays.
  ///
  /// @param rows before the first; they are there again afterwards
  default void readAhead(RowCursor rows, long watermark, ReadAhead ahead) {
    if (ahead.pays()) {
      while (rows.next()) {
        visit(rows, watermark, (place, _) -> ahead.want(place));
      }
      rows.rewind();
      ahead.load();
    }
  }
}

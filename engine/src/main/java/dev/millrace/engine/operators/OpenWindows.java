package dev.millrace.engine.operators;

import dev.millrace.api.serde.Bytes;

/// The windows of rows that are not gone yet, as keys of a store: the window's start and the row's
/// key. One instance shows one key at a time.
final class OpenWindows {
  private final AlignedWindows windows;
  private final TimeKey timeKey = new TimeKey();

  OpenWindows(AlignedWindows windows) {
    this.windows = windows;
  }

  @FunctionalInterface
  interface Visitor {
    /// @param storeKey valid during the call
    void window(Bytes storeKey, RowCursor row);
  }

  /// Shows each window of a row that is not gone, the last one first.
  ///
  /// @return whether there was any; otherwise the row is too late
  boolean visit(RowCursor row, long watermark, Visitor visitor) {
    Bytes key = Opened.key(row);
    long time = row.timestamp();
    boolean any = false;
    for (long start = windows.lastStart(time);
        windows.end(start) > time;
        start = windows.startBefore(start)) {
      if (!windows.gone(start, watermark)) {
        visitor.window(timeKey.of(start, key), row);
        any = true;
      }
    }
    return any;
  }

  /// Has a store read what it has of the rows' windows, if that pays.
  ///
  /// @param rows before the first; they are there again afterwards
  void readAhead(RowCursor rows, long watermark, ReadAhead ahead) {
    if (ahead.pays()) {
      while (rows.next()) {
        visit(rows, watermark, (storeKey, _) -> ahead.want(storeKey));
      }
      rows.rewind();
      ahead.load();
    }
  }
}

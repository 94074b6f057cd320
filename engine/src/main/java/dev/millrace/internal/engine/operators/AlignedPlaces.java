package dev.millrace.internal.engine.operators;

import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;

/// Places of windows that are the same for all keys: the window's start and the row's key.
final class AlignedPlaces implements WindowPlaces {
  private final AlignedWindows windows;
  private final TimeKey timeKey = new TimeKey();

  AlignedPlaces(AlignedWindows windows) {
    this.windows = windows;
  }

  @Override
  public boolean visit(RowCursor row, long watermark, Visitor visitor) {
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

  @Override
  public long lastStart(RowCursor row) {
    return windows.lastStart(row.timestamp());
  }

  @Override
  public boolean closed(Bytes place, long watermark) {
    return windows.closed(TimeKey.time(place), watermark);
  }

  @Override
  public long lastClosed(long watermark) {
    return windows.lastClosed(watermark);
  }

  @Override
  public long lastGone(long watermark) {
    return windows.lastGone(watermark);
  }

  @Override
  public Window window(Bytes place) {
    return windows.window(TimeKey.time(place));
  }

  @Override
  public Bytes rowKey(Bytes place, Bytes key) {
    return TimeKey.rowKey(place, key);
  }

  @Override
  public String format() {
    return "time+";
  }
}

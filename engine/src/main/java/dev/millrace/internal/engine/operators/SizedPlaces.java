package dev.millrace.internal.engine.operators;

import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import java.time.Instant;

/// Places of [SizedWindows]: the last millisecond of the window, its size in eight bytes, and the
/// row's key.
final class SizedPlaces implements WindowPlaces {
  private final SizedWindows windows;
  private final TimeKey timeKey = new TimeKey();
  private final BytesWriter sized = new BytesWriter(64);
  private final Bytes sizedView = new Bytes();

  SizedPlaces(SizedWindows windows) {
    this.windows = windows;
  }

  @Override
  public boolean visit(RowCursor row, long watermark, Visitor visitor) {
    Bytes key = Opened.key(row);
    long size = windows.sizeMillis(row.value());
    long end = start(row, size) + size;
    if (end + windows.latenessMillis() <= watermark) {
      return false;
    }
    sized.clear();
    sized.writeLong(size);
    sized.write(key);
    visitor.window(timeKey.of(end - 1, sized.view(sizedView, 0)), row);
    return true;
  }

  private static long start(RowCursor row, long size) {
    long time = AlignedWindows.requireNear(row.timestamp());
    return time - Math.floorMod(time, size);
  }

  @Override
  public long lastStart(RowCursor row) {
    return start(row, windows.sizeMillis(row.value()));
  }

  @Override
  public boolean closed(Bytes place, long watermark) {
    return TimeKey.time(place) < watermark;
  }

  @Override
  public long lastClosed(long watermark) {
    return watermark == Long.MIN_VALUE ? watermark : watermark - 1;
  }

  @Override
  public long lastGone(long watermark) {
    return watermark < Long.MIN_VALUE + windows.latenessMillis() + 1
        ? Long.MIN_VALUE
        : watermark - windows.latenessMillis() - 1;
  }

  @Override
  public Window window(Bytes place) {
    long end = TimeKey.time(place) + 1;
    long size = new Frames.Reader(TimeKey.rowKey(place, new Bytes())).readLong();
    return new Window(Instant.ofEpochMilli(end - size), Instant.ofEpochMilli(end));
  }

  @Override
  public Bytes rowKey(Bytes place, Bytes key) {
    TimeKey.rowKey(place, key);
    return key.set(key.array(), key.offset() + Long.BYTES, key.length() - Long.BYTES);
  }

  @Override
  public String format() {
    return "time+size+";
  }
}

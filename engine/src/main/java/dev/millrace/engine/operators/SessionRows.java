package dev.millrace.engine.operators;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.time.Instant;

/// Results of sessions as rows: a [WindowResult] under its key, whose window ends `gapMillis`
/// behind the session's last record, at that end minus one millisecond.
///
/// @param keySerde of the keys
/// @param latenessMillis for how long behind its end a late record corrects a session
record SessionRows(long gapMillis, long latenessMillis, Serde<Object> keySerde) {

  Window window(long first, long last) {
    return new Window(Instant.ofEpochMilli(first), Instant.ofEpochMilli(last + gapMillis));
  }

  /// Whether a session gets no more records, but for late ones.
  boolean closed(long last, long watermark) {
    return last + gapMillis <= watermark;
  }

  /// Whether a session gets no more records.
  boolean gone(long last, long watermark) {
    return last + gapMillis + latenessMillis <= watermark;
  }

  /// The last time that no session that is open ends with.
  long lastClosed(long watermark) {
    return watermark < Long.MIN_VALUE + gapMillis ? Long.MIN_VALUE : watermark - gapMillis;
  }

  /// The last time that no session that may be corrected ends with.
  long lastGone(long watermark) {
    long closed = lastClosed(watermark);
    return closed < Long.MIN_VALUE + latenessMillis ? Long.MIN_VALUE : closed - latenessMillis;
  }

  void send(Bytes key, long first, long last, Object result, boolean goes, RowSink out) {
    Object row = new WindowResult<>(window(first, last), Opened.object(keySerde, key), result);
    long time = last + gapMillis - 1;
    if (goes) {
      out.retract(key, row, time);
    } else {
      out.emit(key, row, time);
    }
  }
}

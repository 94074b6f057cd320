package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.RowSink;
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

  /// Whether a row at a time cannot be taken any more: it would change a session that is final, or
  /// one would begin with it that is too late by itself.
  ///
  /// @param first the time of the first row of the sessions less than a gap from it, or its own
  /// @param earliest the time of the last row of the earliest of them, or its own
  boolean tooLate(
      Bytes key, long time, long first, long earliest, long watermark, SessionEnds ends) {
    if (time >= watermark) {
      return false; // what is less than a gap from it is not even closed
    }
    return gone(earliest, watermark)
        || (first > time && gone(time, watermark))
        || ends.reachBehind(key, time);
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

  /// Keeps the end of a session that is final, while rows may come that are not too late by
  /// themselves and would overlap it.
  void keepEnd(Bytes key, long last, long watermark, SessionEnds ends) {
    long end = last + gapMillis;
    if (end > lastGone(watermark)) {
      ends.add(key, end);
    }
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

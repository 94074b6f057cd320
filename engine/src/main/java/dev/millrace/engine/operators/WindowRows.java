package dev.millrace.engine.operators;

import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Results of windows as rows: a [WindowResult] under its key, at the window's end minus one
/// millisecond.
///
/// @param keySerde of the keys
record WindowRows(AlignedWindows windows, Serde<Object> keySerde) {

  /// @param window its start and the key; see [TimeKey]
  void emit(Bytes window, Object result, RowSink out) {
    Bytes key = TimeKey.rowKey(window, new Bytes());
    out.emit(key, row(window, key, result), time(window));
  }

  /// Takes a window's result back and emits another one, unless they are equal.
  void replace(Bytes window, @Nullable Object before, @Nullable Object now, RowSink out) {
    if (Objects.equals(before, now)) {
      return;
    }
    if (before != null) {
      retract(window, before, out);
    }
    if (now != null) {
      emit(window, now, out);
    }
  }

  private void retract(Bytes window, Object result, RowSink out) {
    Bytes key = TimeKey.rowKey(window, new Bytes());
    out.retract(key, row(window, key, result), time(window));
  }

  private Object row(Bytes window, Bytes key, Object result) {
    return new WindowResult<>(windows.window(TimeKey.time(window)), keySerde.read(key), result);
  }

  private long time(Bytes window) {
    return windows.end(TimeKey.time(window)) - 1;
  }
}

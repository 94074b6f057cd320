package dev.millrace.internal.engine.operators;

import dev.millrace.api.Window;
import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Results of windows as rows: a [WindowResult] under its key, at the window's end minus one
/// millisecond.
///
/// @param keySerde of the keys
public record WindowRows(WindowPlaces places, Serde<Object> keySerde) {

  /// @param place of the window
  public void emit(Bytes place, Object result, RowSink out) {
    Window window = places.window(place);
    Bytes key = places.rowKey(place, new Bytes());
    out.emit(key, row(window, key, result), time(window));
  }

  /// Takes a window's result back and emits another one, unless they are equal.
  public void replace(Bytes place, @Nullable Object before, @Nullable Object now, RowSink out) {
    if (Objects.equals(before, now)) {
      return;
    }
    if (before != null) {
      retract(place, before, out);
    }
    if (now != null) {
      emit(place, now, out);
    }
  }

  private void retract(Bytes place, Object result, RowSink out) {
    Window window = places.window(place);
    Bytes key = places.rowKey(place, new Bytes());
    out.retract(key, row(window, key, result), time(window));
  }

  private Object row(Window window, Bytes key, Object result) {
    return new WindowResult<>(window, Opened.object(keySerde, key), result);
  }

  public static long time(Window window) {
    return window.end().toEpochMilli() - 1;
  }
}

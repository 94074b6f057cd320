package dev.millrace.internal.engine.operators;

import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// Something that an operator does when event time has come to it or an answer is there, rather
/// than for a record: described for whoever has to tell that it failed.
///
/// @param id tells it from all others of the operator, in every attempt to come to it
/// @param kind what it is, for people, such as `timer`
/// @param key of what would have been emitted; null if that has none
/// @param time when it is due, in milliseconds since 1970
/// @param window whose result it is; null if it is not that of a window
public record Due(Bytes id, String kind, @Nullable Bytes key, long time, @Nullable Window window) {

  /// Something whose place is a [TimeKey].
  public static Due at(Bytes place, String kind) {
    return new Due(place, kind, TimeKey.rowKey(place, new Bytes()), TimeKey.time(place), null);
  }

  /// The result of a window.
  public static Due result(Bytes place, Bytes key, Window window) {
    return new Due(place, "result", key, window.end().toEpochMilli() - 1, window);
  }
}

package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an operator does in one call without a record at hand: the windows that close, the timers
/// that fire. Rows that come of one have its number in the place of the record they come from.
final class ResultOrigins {
  /// Rows that come of nothing that is known.
  static final int UNKNOWN = -1;

  private final List<Bytes> places = new ArrayList<>();

  void clear() {
    places.clear();
  }

  void add(Bytes place) {
    if (places.isEmpty() || !places.getLast().equals(place)) {
      places.add(place);
    }
  }

  int count() {
    return places.size();
  }

  /// The origin of rows that come of what was begun last.
  int origin() {
    return UNKNOWN - places.size();
  }

  /// What a row comes from; null if that is not known.
  @Nullable Bytes of(int origin) {
    return origin < UNKNOWN ? places.get(UNKNOWN - 1 - origin) : null;
  }

  /// What was begun last; null if nothing was.
  @Nullable Bytes last() {
    return places.isEmpty() ? null : places.getLast();
  }
}

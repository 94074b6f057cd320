package dev.millrace.internal.engine.chain;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.time.FarAhead;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The event times of a source that says more of them than its records' timestamps do.
final class SourceTimes {
  private SourceTimes() {}

  /// Gives rows the event time that the source finds in their values.
  static void assign(Rows rows, EventTime<Object> eventTime) {
    Object[] values = rows.values();
    for (int i = 0, size = rows.size(); i < size; i++) {
      rows.current = i;
      if (rows.hasValue(i)) {
        rows.timestamp(i, eventTime.of(values[i]).toEpochMilli());
      }
    }
  }

  /// Refuses rows that are too far ahead of the clock.
  ///
  /// @param now the time of day, in milliseconds since 1970 (UTC)
  /// @throws SerdeException if one is; [Rows#current] says which
  static void refuse(Rows rows, Duration ahead, long now) {
    long latest = now + ahead.toMillis();
    for (int i = 0, size = rows.size(); i < size; i++) {
      if (rows.timestamp(i) > latest) {
        rows.current = i;
        throw new SerdeException(
            "The event time is %s, more than %s ahead of the clock, which the source refuses."
                .formatted(Instant.ofEpochMilli(rows.timestamp(i)), ahead));
      }
    }
  }

  /// Asks the source for its own watermark.
  ///
  /// @param before where it stood before these rows
  /// @param farAhead is asked whose time to leave out; null for none
  /// @return where it stands now
  static long ask(Rows rows, Watermark<Object> own, long before, @Nullable FarAhead farAhead) {
    long latest = before;
    Object[] values = rows.values();
    for (int i = 0, size = rows.size(); i < size; i++) {
      rows.current = i;
      if (rows.hasValue(i)) {
        Instant last = latest == Long.MIN_VALUE ? Instant.MIN : Instant.ofEpochMilli(latest);
        Instant after = own.after(last, values[i], Instant.ofEpochMilli(rows.timestamp(i)));
        long told = after.isAfter(last) ? after.toEpochMilli() : latest;
        if (farAhead == null || farAhead.believes(told)) {
          latest = told;
        }
      }
    }
    return latest;
  }
}

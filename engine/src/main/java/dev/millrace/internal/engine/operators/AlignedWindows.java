package dev.millrace.internal.engine.operators;

import dev.millrace.api.Window;
import dev.millrace.api.Windows;
import java.time.Instant;
import java.util.function.LongUnaryOperator;

/// Windows that begin and end at times of their own, whatever records come. They are told apart by
/// their start, and those that begin earlier end earlier. Times are milliseconds since 1970 (UTC).
public sealed interface AlignedWindows extends WindowSet permits FixedWindows, CalendarWindows {
  /// Times further from 1970 are in no window.
  long FARTHEST = Long.MAX_VALUE / 4;

  /// What an application describes; only for windows that are the same for all keys.
  ///
  /// @param latenessMillis for how long behind its end a late record corrects a window
  static AlignedWindows of(Windows windows, long latenessMillis) {
    return switch (windows) {
      case Windows.Tumbling(var size, _) ->
          new FixedWindows(size.toMillis(), size.toMillis(), latenessMillis);
      case Windows.Hopping(var size, var every, _) ->
          new FixedWindows(size.toMillis(), every.toMillis(), latenessMillis);
      case Windows.Session _,
          Windows.Sliding _,
          Windows.Sized<?> _,
          Windows.Counted _,
          Windows.All _ ->
          throw new IllegalArgumentException("Each key has its own: " + windows);
      case Windows.Calendar(var unit, var zone, _) ->
          new CalendarWindows(unit, zone, latenessMillis);
    };
  }

  /// Whether these and the others begin and end at the same times, whatever their lateness.
  boolean equalTimes(AlignedWindows others);

  /// The start of the last window that holds a time; the others lie before it, as long as their
  /// [#end] is behind the time.
  ///
  /// @throws IllegalArgumentException if the time is in no window
  long lastStart(long time);

  /// Gives the start of the slice in which a time lies: all times of a slice are in the same
  /// windows. It throws an [IllegalArgumentException] if the time is in no window.
  default LongUnaryOperator slices() {
    return this::lastStart;
  }

  /// The start of the window before the one that begins there.
  long startBefore(long start);

  /// The end of the window that begins there.
  long end(long start);

  /// The start of the last window that is closed, or `Long.MIN_VALUE` before all windows.
  long lastClosed(long watermark);

  /// Whether no record for the window is expected any more.
  default boolean closed(long start, long watermark) {
    return end(start) <= watermark;
  }

  /// Whether a record for the window is too late even to correct it.
  default boolean gone(long start, long watermark) {
    return end(start) + latenessMillis() <= watermark;
  }

  @Override
  default WindowPlaces places() {
    return new AlignedPlaces(this);
  }

  /// The start of the last window that is gone, or `Long.MIN_VALUE` before all windows.
  default long lastGone(long watermark) {
    return watermark < Long.MIN_VALUE + latenessMillis()
        ? Long.MIN_VALUE
        : lastClosed(watermark - latenessMillis());
  }

  default Window window(long start) {
    return new Window(Instant.ofEpochMilli(start), Instant.ofEpochMilli(end(start)));
  }

  static long requireNear(long time) {
    if (time < -FARTHEST || time > FARTHEST) {
      throw new IllegalArgumentException(
          "The event time "
              + time
              + " is out of range for windows; it is in milliseconds since 1970.");
    }
    return time;
  }
}

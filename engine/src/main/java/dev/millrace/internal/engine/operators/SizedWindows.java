package dev.millrace.internal.engine.operators;

import dev.millrace.api.function.Mapper;
import java.time.Duration;

/// Windows without gaps whose size each record tells, aligned to 1970-01-01T00:00Z: those of one
/// size are apart from those of another.
///
/// @param size gives the size from a record's value, a [Duration]
public record SizedWindows(Mapper<Object, Object> size, long latenessMillis) implements WindowSet {

  @Override
  public WindowPlaces places() {
    return new SizedPlaces(this);
  }

  /// The size that a value tells, in milliseconds.
  ///
  /// @throws IllegalArgumentException if that is none
  long sizeMillis(Object value) {
    Object told = size.map(value);
    if (!(told instanceof Duration duration)) {
      throw new IllegalArgumentException(
          "The function of the window's size returned null for the record.");
    }
    long millis = duration.toMillis();
    if (millis <= 0 || millis > AlignedWindows.FARTHEST) {
      throw new IllegalArgumentException(
          "The size of a window must be a positive number of milliseconds; the function returned "
              + told
              + ".");
    }
    return millis;
  }
}

package dev.millrace.engine.operators;

import dev.millrace.api.Window;
import dev.millrace.api.Windows;
import java.time.Instant;

/// Windows of one size that begin at regular times, aligned to 1970-01-01T00:00Z. They are told
/// apart by their start, and those that begin earlier end earlier. Times are milliseconds since
/// 1970 (UTC).
///
/// @param sizeMillis the length of each
/// @param everyMillis from the start of one to the start of the next; the size, where they do not
///   overlap
public record FixedWindows(long sizeMillis, long everyMillis) {
  private static final long FARTHEST = Long.MAX_VALUE / 4;

  public FixedWindows {
    if (sizeMillis <= 0 || sizeMillis > FARTHEST || everyMillis <= 0 || everyMillis > sizeMillis) {
      throw new IllegalArgumentException(
          "Windows of %d ms every %d ms cannot be: sizes are positive, and there are no gaps."
              .formatted(sizeMillis, everyMillis));
    }
  }

  public static FixedWindows of(Windows windows) {
    return switch (windows) {
      case Windows.Tumbling tumbling ->
          new FixedWindows(tumbling.size().toMillis(), tumbling.size().toMillis());
    };
  }

  /// The start of the last window that holds a time; the others begin [#everyMillis] earlier each,
  /// as long as their [#end] is behind the time.
  long lastStart(long time) {
    if (time < -FARTHEST || time > FARTHEST) {
      throw new IllegalArgumentException(
          "The event time " + time + " is beyond every window; it is in milliseconds since 1970.");
    }
    return time - Math.floorMod(time, everyMillis);
  }

  long end(long start) {
    return start + sizeMillis;
  }

  /// Whether no record for the window is expected any more.
  boolean closed(long start, long watermark) {
    return end(start) <= watermark;
  }

  Window window(long start) {
    return new Window(Instant.ofEpochMilli(start), Instant.ofEpochMilli(end(start)));
  }
}

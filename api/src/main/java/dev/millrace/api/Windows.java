package dev.millrace.api;

import java.time.Duration;

/// How event time is cut into windows.
public sealed interface Windows {

  /// Windows of one size that follow each other without gaps, aligned to 1970-01-01T00:00Z.
  ///
  /// @throws IllegalArgumentException if the size is not a positive number of milliseconds
  static Windows tumbling(Duration size) {
    return new Tumbling(size);
  }

  /// See [#tumbling].
  record Tumbling(Duration size) implements Windows {
    public Tumbling {
      if (size.toMillis() <= 0 || !size.equals(Duration.ofMillis(size.toMillis()))) {
        throw new IllegalArgumentException(
            "A window's size is a positive number of whole milliseconds; found " + size + ".");
      }
    }
  }
}

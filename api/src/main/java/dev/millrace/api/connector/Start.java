package dev.millrace.api.connector;

import java.time.Instant;

/// Where a new application begins to read a stream. Once it has committed, it goes on where it
/// stopped.
public sealed interface Start {

  /// The oldest record there is.
  record Earliest() implements Start {}

  /// What comes from now on.
  record Latest() implements Start {}

  /// The first record with a timestamp at or after a time.
  record At(Instant time) implements Start {}

  static Start earliest() {
    return new Earliest();
  }

  static Start latest() {
    return new Latest();
  }

  static Start at(Instant time) {
    return new At(time);
  }
}

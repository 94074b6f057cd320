package dev.millrace.spi.settings;

import dev.millrace.api.connector.Start;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How streams are read.
///
/// @param start where a new application begins if its sources do not say; null if that is an error
/// @param idleAfter how long a partition must have stood at its end until it no longer holds back
///   event time
/// @param alignment by how much event time an input may be ahead of another one of its stage that
///   has records to read
public record InputConfig(@Nullable Start start, Duration idleAfter, Duration alignment) {

  /// Returns the defaults: no start, idle after 30 s, at most a minute of event time ahead.
  public static InputConfig defaults() {
    return new InputConfig(null, Duration.ofSeconds(30), Duration.ofMinutes(1));
  }

  /// Returns a copy with a place where a new application begins if its sources do not say; none by
  /// default.
  public InputConfig withStart(Start newStart) {
    return new InputConfig(newStart, idleAfter, alignment);
  }

  /// Returns a copy with another time after which a partition at its end no longer holds back event
  /// time; 30 s by default.
  public InputConfig withIdleAfter(Duration newIdleAfter) {
    return new InputConfig(start, newIdleAfter, alignment);
  }

  /// Returns a copy with another bound, in event time, on how far an input may be ahead; a minute
  /// by default.
  public InputConfig withAlignment(Duration newAlignment) {
    return new InputConfig(start, idleAfter, newAlignment);
  }
}

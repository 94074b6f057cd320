package dev.millrace.spi.settings;

import dev.millrace.api.Start;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How streams are read.
///
/// @param start where a new application begins where its sources do not say; null if that is an
///   error
/// @param idleAfter how long a partition must have stood at its end to hold back nobody's event
///   time
/// @param alignment by how much event time an input may be ahead of another one of its stage that
///   has records to read
public record InputConfig(@Nullable Start start, Duration idleAfter, Duration alignment) {

  public static InputConfig defaults() {
    return new InputConfig(null, Duration.ofSeconds(30), Duration.ofMinutes(1));
  }

  /// Another place where a new application begins to read.
  public InputConfig withStart(Start newStart) {
    return new InputConfig(newStart, idleAfter, alignment);
  }
}

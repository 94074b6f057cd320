package dev.millrace.benchmarks.nexmark.generator;

import java.time.Instant;

/// Which events are made.
///
/// @param seed other seeds give other events
/// @param events how many
/// @param eventsPerSecond in event time
/// @param start the time of the first one
public record Settings(long seed, long events, long eventsPerSecond, Instant start) {
  /// When the first event happens unless said otherwise.
  public static final Instant START = Instant.parse("2015-07-15T00:00:00Z");

  private static final long EVENTS_PER_SECOND = 10_000;

  public Settings {
    if (events < 0 || eventsPerSecond < 1) {
      throw new IllegalArgumentException(
          "The number of events must not be negative, and their rate at least one a second; found %,d and %,d."
              .formatted(events, eventsPerSecond));
    }
  }

  /// The rate that Beam's generator has unless told otherwise.
  public static Settings of(long seed, long events) {
    return new Settings(seed, events, EVENTS_PER_SECOND, START);
  }

  public Settings withEvents(long newEvents) {
    return new Settings(seed, newEvents, eventsPerSecond, start);
  }
}

package dev.millrace.benchmarks.nexmark;

import dev.millrace.benchmarks.nexmark.generator.Settings;
import dev.millrace.benchmarks.nexmark.query.Queries;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// What is to be run.
///
/// @param queries by name
/// @param events of queries that keep no bids
/// @param slowEvents how many there are of all others
/// @param rehearsalSeconds how long each engine's process does the same first
/// @param runs of each query and engine, of which the median counts
/// @param heapMb of each engine's JVM
/// @param cacheBytes of each engine's process
/// @param home of the working copy, where the engines are
public record NexmarkSetup(
    List<String> queries,
    List<NexmarkEngine> engines,
    From from,
    Settings events,
    long slowEvents,
    int rehearsalSeconds,
    int runs,
    int heapMb,
    long cacheBytes,
    Path home) {

  /// Where the events come from, and how state is kept.
  public enum From {
    /// They are made in the engine's process; state is in memory, and results are added up there.
    GENERATOR,
    /// They are read from a topic; state is on disk, and results go to a topic, exactly once.
    KAFKA;

    /// As it is asked for: `kafka`.
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public NexmarkSetup {
    queries = List.copyOf(queries);
    engines = List.copyOf(engines);
    if (slowEvents < 0 || rehearsalSeconds < 0) {
      throw new IllegalArgumentException(
          "The numbers of events and of seconds to warm up must not be negative; found %,d and %,d."
              .formatted(slowEvents, rehearsalSeconds));
    }
  }

  /// Those that a query is asked of.
  Settings events(String query) {
    return Queries.keepsBids(query) ? events.withEvents(slowEvents) : events;
  }
}

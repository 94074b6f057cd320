package dev.millrace.internal.beam.state;

import java.util.TreeMap;

/// The times at which event time is held back, each with how often it is: kept in memory, and made
/// anew from what is stored when a task begins.
public final class Holds {
  private final TreeMap<Long, Integer> times = new TreeMap<>();

  /// Adds a hold.
  public void add(long millis) {
    times.merge(millis, 1, Integer::sum);
  }

  /// Takes one of the holds at a time away.
  public void remove(long millis) {
    times.computeIfPresent(millis, (_, count) -> count == 1 ? null : count - 1);
  }

  /// Returns the earliest hold, in milliseconds since 1970; `Long.MAX_VALUE` if there is none.
  public long least() {
    return times.isEmpty() ? Long.MAX_VALUE : times.firstKey();
  }
}

package dev.millrace.internal.beam.operators;

import java.time.Duration;

/// What a stream of events asks of the test that it is part of. Used by the thread of the test.
public interface TestTime {
  /// Returns the time by which timers fire, in milliseconds since 1970.
  long millis();

  /// Whether all that followed from the last event has happened, so that the next one may; it says
  /// so once.
  boolean takeTurn();

  /// Lets the clock go on by an interval. It stands still otherwise, from the first event to the
  /// last.
  void advance(Duration interval);

  /// A stream of events begins.
  ///
  /// @param name of the stream, which no other one has
  void begins(String name);

  /// Sets the clock to where it stood at the last commit.
  void clock(long millis);

  /// A stream of events has ended.
  void ends(String name);
}

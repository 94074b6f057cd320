package dev.millrace.benchmarks.scenarios;

import dev.millrace.benchmarks.process.Named;
import java.util.Locale;

/// What is done with the records of a topic.
///
/// Those that count write nothing for a record, as in the benchmark of 2015. A record that asks
/// (see [Event]) is not counted; it gets the count of its key as an answer.
public enum Scenario {
  /// Every record to another topic, unchanged.
  PASS,
  /// Counted by key, in memory.
  COUNT_MEMORY,
  /// Counted by key, on disk; nothing outlives the disk.
  COUNT_DISK,
  /// Counted by key, on disk and saved elsewhere.
  COUNT_DISK_CHANGELOG,
  /// Sent to the task of another key by the engine's own means, and counted by it in memory.
  EXCHANGE;

  /// As it is asked for: `count-disk`.
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The one with an id.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static Scenario of(String id) {
    return Named.of("scenario", id, values(), Scenario::id);
  }

  /// Whether the state is on disk.
  public boolean onDisk() {
    return this == COUNT_DISK || this == COUNT_DISK_CHANGELOG;
  }
}

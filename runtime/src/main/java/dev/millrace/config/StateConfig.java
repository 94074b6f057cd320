package dev.millrace.config;

import java.nio.file.Path;
import java.time.Duration;

/// Where local state is kept.
///
/// @param directory for the state of every application on this host; private to the user
/// @param cacheBytes for decoded objects of all tasks of the process together
/// @param flushInterval the longest time between two flushes of a task's state to disk
public record StateConfig(Path directory, long cacheBytes, Duration flushInterval) {

  public static StateConfig defaults() {
    return new StateConfig(Path.of("millrace-data", "state"), 256L << 20, Duration.ofSeconds(10));
  }
}

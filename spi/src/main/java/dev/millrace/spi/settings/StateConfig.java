package dev.millrace.spi.settings;

import java.nio.file.Path;
import java.time.Duration;

/// Where local state is kept.
///
/// @param directory for the state of every application on this host; private to the user
/// @param flushInterval the longest time between two flushes of a task's state to disk
/// @param sizes how large what is kept and exchanged may be
/// @param accept the code of a change of the program that the state may be gone on with; empty for
///   none
public record StateConfig(
    Path directory, Duration flushInterval, Storage storage, SizeLimits sizes, String accept) {

  /// What lies below the caches.
  public enum Storage {
    /// The disk: state may be far larger than memory, and outlives the process.
    DISK,
    /// Memory outside the heap: nothing is read from a device, and each start restores the whole
    /// state from the changelog.
    MEMORY
  }

  /// On disk, with the usual limits.
  public StateConfig(Path directory, Duration flushInterval) {
    this(directory, flushInterval, Storage.DISK);
  }

  /// With the usual limits, and what the state was made by.
  public StateConfig(Path directory, Duration flushInterval, Storage storage) {
    this(directory, flushInterval, storage, SizeLimits.defaults(), "");
  }

  /// With other limits.
  public StateConfig withSizes(SizeLimits newSizes) {
    return new StateConfig(directory, flushInterval, storage, newSizes, accept);
  }

  /// The same, going on with state after a change of the program.
  public StateConfig accepting(String code) {
    return new StateConfig(directory, flushInterval, storage, sizes, code);
  }

  public static StateConfig defaults() {
    return new StateConfig(Path.of("millrace-data", "state"), Duration.ofSeconds(10));
  }
}

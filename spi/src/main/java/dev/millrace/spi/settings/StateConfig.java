package dev.millrace.spi.settings;

import java.nio.file.Path;
import java.time.Duration;

/// Where local state is kept, and how large it may be.
///
/// @param directory for the state of every application on this host; private to the user
/// @param flushInterval the longest time between two flushes of a task's state to disk
/// @param storage what lies below the caches
/// @param sizes how large keys, values and exchanged records may be
public record StateConfig(
    Path directory, Duration flushInterval, Storage storage, SizeLimits sizes) {

  /// @throws IllegalArgumentException if a size is above [SizeLimits#MOST_BYTES]
  public StateConfig {
    sizes.requireForBrokers();
  }

  /// What lies below the caches.
  public enum Storage {
    /// The disk: state may be far larger than memory, and outlives the process.
    DISK,
    /// Memory outside the heap: nothing is read from a device, and each start restores the whole
    /// state from the changelog.
    MEMORY
  }

  /// Returns the defaults: on disk in `millrace-data/state`, flushed at least every 10 s, with the
  /// usual sizes.
  public static StateConfig defaults() {
    return in(Path.of("millrace-data", "state"));
  }

  /// Returns the defaults, with the state in a directory.
  public static StateConfig in(Path directory) {
    return new StateConfig(directory, Duration.ofSeconds(10), Storage.DISK, SizeLimits.defaults());
  }

  /// Returns a copy with another directory; `millrace-data/state` by default.
  public StateConfig withDirectory(Path newDirectory) {
    return new StateConfig(newDirectory, flushInterval, storage, sizes);
  }

  /// Returns a copy with another longest time between two flushes of a task; 10 s by default.
  public StateConfig withFlushInterval(Duration newInterval) {
    return new StateConfig(directory, newInterval, storage, sizes);
  }

  /// Returns a copy with another storage below the caches; the disk by default.
  public StateConfig withStorage(Storage newStorage) {
    return new StateConfig(directory, flushInterval, newStorage, sizes);
  }

  /// Returns a copy with other limits of sizes.
  public StateConfig withSizes(SizeLimits newSizes) {
    return new StateConfig(directory, flushInterval, storage, newSizes);
  }
}

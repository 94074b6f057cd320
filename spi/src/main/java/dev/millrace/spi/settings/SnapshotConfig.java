package dev.millrace.spi.settings;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Whether and when snapshots of local state are taken.
///
/// @param store a folder that all hosts of the application share, which must exist; null for none
/// @param interval the shortest time between two snapshots of a task; well below half the time for
///   which the changelog keeps deletions, beyond which a snapshot cannot be used
public record SnapshotConfig(@Nullable Path store, Duration interval) {

  /// Returns the defaults: no snapshots; at most one of a task in 10 minutes once there is a store.
  public static SnapshotConfig defaults() {
    return new SnapshotConfig(null, Duration.ofMinutes(10));
  }

  /// Returns a copy with a folder for snapshots, which must exist; none by default.
  public SnapshotConfig withStore(Path newStore) {
    return new SnapshotConfig(newStore, interval);
  }

  /// Returns a copy with another shortest time between two snapshots of a task; 10 minutes by
  /// default.
  public SnapshotConfig withInterval(Duration newInterval) {
    return new SnapshotConfig(store, newInterval);
  }
}

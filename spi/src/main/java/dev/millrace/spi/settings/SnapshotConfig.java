package dev.millrace.spi.settings;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Whether and when snapshots of local state are taken.
///
/// @param store a folder that all hosts of the application share, which must exist; null for none
/// @param interval the shortest time between two snapshots of a task
public record SnapshotConfig(@Nullable Path store, Duration interval) {

  public static SnapshotConfig defaults() {
    return new SnapshotConfig(null, Duration.ofMinutes(10));
  }
}

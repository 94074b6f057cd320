package dev.millrace.internal.engine.settings;

import dev.millrace.internal.engine.sources.Sources;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Log;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// What an engine runs on.
///
/// @param sources of the topology; closed by who made them
/// @param calls runs calls to other systems, which may block
/// @param snapshots null if none are taken and none are used
public record Surroundings(
    Log log,
    Disks disks,
    Clock clock,
    Sources sources,
    Executor calls,
    @Nullable SnapshotSettings snapshots) {

  /// Without snapshots; calls to other systems hold up the workers.
  public Surroundings(Log log, Disks disks, Clock clock, Sources sources) {
    this(log, disks, clock, sources, Runnable::run, null);
  }
}

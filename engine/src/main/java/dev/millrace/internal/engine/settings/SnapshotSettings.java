package dev.millrace.internal.engine.settings;

import dev.millrace.spi.BlobStore;
import java.time.Duration;
import java.util.concurrent.Executor;

/// Where snapshots of local state go, and when.
///
/// @param store used by the workers and the background at the same time
/// @param background runs what copies snapshots, never on a worker's thread; it may refuse or
///   forget what it was given when the job ends
/// @param interval the shortest time between two snapshots of a task; well below half the time for
///   which the changelog keeps deletions, beyond which a snapshot cannot be used
public record SnapshotSettings(BlobStore store, Executor background, Duration interval) {}

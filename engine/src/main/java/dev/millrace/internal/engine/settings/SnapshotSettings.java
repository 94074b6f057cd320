package dev.millrace.internal.engine.settings;

import dev.millrace.spi.BlobStore;
import dev.millrace.spi.settings.SnapshotConfig;
import java.util.concurrent.Executor;

/// Where snapshots of local state go, and when.
///
/// @param store used by the workers and the background at the same time
/// @param background runs what copies snapshots, never on a worker's thread; it may refuse or
///   forget what it was given when the job ends
/// @param config of which the engine reads the time between two snapshots
public record SnapshotSettings(BlobStore store, Executor background, SnapshotConfig config) {}

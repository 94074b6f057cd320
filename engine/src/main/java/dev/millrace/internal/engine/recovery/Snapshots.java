package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.commit.DiskPosition;
import dev.millrace.internal.engine.commit.JobIdentity;
import dev.millrace.internal.engine.metrics.SnapshotMetrics;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.settings.SnapshotSettings;
import dev.millrace.internal.state.TaskState;
import dev.millrace.internal.state.snapshot.SnapshotManifest;
import dev.millrace.internal.state.snapshot.SnapshotOwner;
import dev.millrace.internal.state.snapshot.SnapshotStore;
import dev.millrace.spi.BlobException;
import dev.millrace.spi.Clock;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The snapshots of a worker's tasks: taken after flushes and copied in the background, and used
/// where a task is opened and has nothing to go on from.
///
/// A snapshot saves time and guards nothing: whatever fails here is logged and counted, and the
/// changelog has it all. Used by the worker.
public final class Snapshots {
  private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);
  private static final int ATTEMPTS = 3;

  private final String application;
  private final JobIdentity job;
  private final Clock clock;
  private final Disks disks;
  private final @Nullable SnapshotSettings settings;
  private final Map<Plan.TaskId, Series> series = new LinkedHashMap<>();

  /// The tasks whose disks were made of snapshots.
  private final Set<Plan.TaskId> made = new LinkedHashSet<>();

  /// The tasks whose snapshots hold what is corrupt: it was so when it was copied.
  private final Set<Plan.TaskId> distrusted = new LinkedHashSet<>();

  /// The snapshots of one open disk. One is copied at a time.
  private static final class Series {
    final TaskState state;
    final SnapshotStore store;
    final AtomicBoolean underWay = new AtomicBoolean();
    long takenNanos;
    long takenOffset = -1;

    Series(TaskState state, SnapshotStore store, long nowNanos) {
      this.state = state;
      this.store = store;
      takenNanos = nowNanos;
    }
  }

  /// @param settings null if there are to be none
  public Snapshots(
      String application,
      JobIdentity job,
      Clock clock,
      Disks disks,
      @Nullable SnapshotSettings settings) {
    this.application = application;
    this.job = job;
    this.clock = clock;
    this.disks = disks;
    this.settings = settings;
  }

  /// Takes a snapshot of a task that was just flushed, if it is time for one.
  void flushed(DurableState task) {
    SnapshotSettings wanted = settings;
    if (wanted == null) {
      return;
    }
    long now = clock.nanos();
    Series ofTask = series.get(task.task());
    if (ofTask == null || ofTask.state != task.state()) {
      ofTask = new Series(task.state(), store(task.task(), wanted), now);
      series.put(task.task(), ofTask);
    }
    if (now - ofTask.takenNanos >= wanted.config().interval().toNanos() && !ofTask.underWay.get()) {
      ofTask.takenNanos = now;
      take(task, ofTask, wanted);
    }
  }

  private void take(DurableState task, Series ofTask, SnapshotSettings wanted) {
    SnapshotMetrics metrics = task.metrics().snapshots();
    String name = task.name();
    try {
      DiskImage image = task.state().diskImage();
      if (image == null) {
        return;
      }
      long offset = DiskPosition.read(image.position()).offset();
      if (offset == ofTask.takenOffset) {
        image.close();
        return;
      }
      ofTask.takenOffset = offset;
      ofTask.underWay.set(true);
      try {
        wanted.background().execute(() -> copy(name, image, offset, ofTask, metrics));
      } catch (RejectedExecutionException e) {
        ofTask.underWay.set(false);
        image.close();
        LOG.debug("No snapshot of task {} is taken, because the job ends.", name);
      }
    } catch (DiskException e) {
      metrics.addFailed();
      LOG.warn("No snapshot of task {} could be taken: {}", name, e.getMessage());
    }
  }

  /// In the background.
  private static void copy(
      String task, DiskImage image, long offset, Series ofTask, SnapshotMetrics metrics) {
    try (image) {
      SnapshotStore.Put put = ofTask.store.put(image, offset);
      metrics.addTaken(offset, put.copiedBytes());
      LOG.debug(
          "The snapshot of task {} at offset {} has {} bytes, {} of them new.",
          task,
          offset,
          put.manifest().sizeBytes(),
          put.copiedBytes());
    } catch (BlobException | DiskException | IOException e) {
      metrics.addFailed();
      LOG.warn(
          "The snapshot of task {} at offset {} is not complete; the next one continues it: {}",
          task,
          offset,
          e.getMessage());
    } finally {
      ofTask.underWay.set(false);
    }
  }

  /// Whether there may be a snapshot for a task without local state.
  boolean worthAsking(DiskCheck reopening) {
    return settings != null && !reopening.nothingToRestore();
  }

  /// Makes the disk of a task of the newest snapshot that it can go on from. The disk must be
  /// closed; what it holds is replaced, if there is such a snapshot.
  void restore(Plan.TaskId id, DiskCheck reopening, TaskMetrics metrics) {
    SnapshotSettings wanted = settings;
    if (wanted == null || distrusted.contains(id)) {
      return;
    }
    try (DiskStage stage = disks.stage(id.toString())) {
      if (stage != null) {
        SnapshotManifest found = fetch(id, reopening, stage, store(id, wanted));
        if (found != null) {
          made.add(id);
          metrics.snapshots().restoredFrom(found.offset());
          LOG.info(
              "Task {} continues from its snapshot at offset {} of the changelog, {} bytes in {}"
                  + " files.",
              id,
              found.offset(),
              found.sizeBytes(),
              found.files().size());
        } else {
          stage.discard();
          LOG.info("Task {} has no snapshot.", id);
        }
      }
    } catch (BlobException e) {
      metrics.snapshots().addFailed();
      LOG.warn(
          "No snapshot of task {} can be fetched, so its whole changelog is replayed: {}",
          id,
          e.getMessage());
    } catch (DiskException e) {
      if (e.kind() == DiskException.Kind.IN_USE || e.kind() == DiskException.Kind.FULL) {
        throw e;
      }
      metrics.snapshots().addFailed();
      LOG.warn(
          "The disk of task {} cannot be restored from a snapshot, so its whole changelog is"
              + " replayed: {}",
          id,
          e.getMessage());
    }
  }

  /// A task's disk is corrupt and was removed. If it had been made of a snapshot, the next one is
  /// not, or this would go on for ever.
  void corrupt(Plan.TaskId id) {
    if (made.remove(id) && distrusted.add(id)) {
      LOG.warn("The snapshot from which the disk of task {} was restored is itself corrupt.", id);
    }
  }

  private @Nullable SnapshotManifest fetch(
      Plan.TaskId id, DiskCheck reopening, DiskStage stage, SnapshotStore store) {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      try {
        return store.fetch(stage, manifest -> usable(id, reopening, manifest));
      } catch (BlobException e) {
        LOG.info("The snapshot of task {} is fetched further after: {}", id, e.getMessage());
      }
    }
    return store.fetch(stage, manifest -> usable(id, reopening, manifest));
  }

  private boolean usable(Plan.TaskId id, DiskCheck reopening, SnapshotManifest manifest) {
    String obstacle = reopening.obstacle(manifest.position(), clock.millis());
    if (!obstacle.isEmpty()) {
      LOG.warn(
          "The snapshot of task {} at offset {} is not used: {}.", id, manifest.offset(), obstacle);
    }
    return obstacle.isEmpty();
  }

  private SnapshotStore store(Plan.TaskId id, SnapshotSettings wanted) {
    SnapshotOwner owner = new SnapshotOwner(application, job.changelogTopicId(), id.toString());
    return new SnapshotStore(wanted.store(), owner, warning -> LOG.warn("{}", warning));
  }
}

package dev.millrace.internal.engine.recovery;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CannotBeginException;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.commit.DiskPosition;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.settings.TaskShare;
import dev.millrace.internal.state.NumberedStore;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.SizeLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens the states of a worker's tasks: on the disks that they have, or on snapshots of lost ones.
/// What the changelog holds beyond them is left to [Restore].
public final class StateOpening {
  private static final Logger LOG = LoggerFactory.getLogger(StateOpening.class);

  private final Log log;
  private final Plan plan;
  private final DurableState.Shared shared;
  private final Disks disks;
  private final Snapshots snapshots;
  private final TaskShare share;

  public StateOpening(
      Log log,
      Plan plan,
      DurableState.Shared shared,
      Disks disks,
      Snapshots snapshots,
      TaskShare share) {
    this.log = log;
    this.plan = plan;
    this.shared = shared;
    this.disks = disks;
    this.snapshots = snapshots;
    this.share = share;
  }

  /// Returns the partition of the changelog that holds the state of a task.
  public Split changelogOf(Plan.TaskId id) {
    return new Split(plan.changelogTopic(), id.number());
  }

  /// Returns the metrics of a task that is not open yet.
  public TaskMetrics metricsOf(Plan.TaskId id) {
    List<Plan.Store> stores = plan.stage(id.stage()).stores();
    TaskMetrics metrics = new TaskMetrics();
    metrics.migration(List.of(), stores.stream().noneMatch(Plan.Store::hasEarlierVersions));
    return metrics;
  }

  /// Opens the state of a task.
  ///
  /// @param offsets of its changelog
  /// @throws CannotBeginException if it may not go on from what there is
  public DurableState open(Plan.TaskId id, Log.Offsets offsets, TaskMetrics metrics) {
    Split changelog = changelogOf(id);
    DiskCheck reopening =
        new DiskCheck(
            plan.application(),
            shared.job(),
            id,
            changelog,
            offsets,
            () -> Objects.requireNonNull(log.offsets(List.of(changelog)).get(changelog)));
    try {
      return open(id, offsets, reopening, metrics);
    } catch (DiskException e) {
      if (e.kind() != DiskException.Kind.CORRUPT) {
        throw e;
      }
      failed(id, e);
      return open(id, offsets, reopening, metrics);
    }
  }

  private DurableState open(
      Plan.TaskId id, Log.Offsets offsets, DiskCheck reopening, TaskMetrics metrics) {
    TaskState state = openState(id);
    boolean opened = false;
    try {
      DiskPosition position = reopening.read(state.diskPosition());
      if (position != null && position.offset() == DiskPosition.INCOMPLETE) {
        state.close();
        disks.wipe(id.toString());
        state = openState(id);
        position = null;
      }
      if (position == null && snapshots.worthAsking(reopening)) {
        state.close();
        snapshots.restore(id, reopening, metrics);
        state = openState(id);
        position = reopening.read(state.diskPosition());
      }
      reopening.requireSameChangelog(position);
      if (position != null && reopening.tooOld(position, shared.clock().millis())) {
        LOG.warn(
            "The local state of task {} is from {}, so later deletions may have been removed from"
                + " {}. The local state is deleted and restored from there.",
            id,
            Instant.ofEpochMilli(position.writtenMillis()),
            changelogOf(id));
        state.close();
        disks.wipe(id.toString());
        snapshots.restore(id, reopening, metrics);
        state = openState(id);
        position = reopening.read(state.diskPosition());
      }
      if (position != null && position.commitRecord().length > 0) {
        requireSamePlan(id, CommitRecord.read(Bytes.of(position.commitRecord())));
      }
      DurableState durable =
          new DurableState(shared, id, changelogOf(id), state, position, offsets.start(), metrics);
      if (id.isPart() && position == null) {
        durable.needs(base(id));
      }
      opened = true;
      return durable;
    } finally {
      if (!opened) {
        state.close();
      }
    }
  }

  private BaseReplay base(Plan.TaskId id) {
    int parent = Objects.requireNonNull(plan.splits().parents().get(id.number()));
    return new BaseReplay(
        log,
        changelogOf(plan.task(parent)),
        changelogOf(id),
        new ShareOfState(plan.stage(id.stage()), plan.splits().firstShare(id.number())));
  }

  private TaskState openState(Plan.TaskId id) {
    List<NumberedStore> stores = new ArrayList<>();
    SizeLimits sizes = plan.sizes();
    for (Plan.Store store : plan.stage(id.stage()).stores()) {
      stores.add(
          new NumberedStore(
              store.number(),
              plan.written().spec(store),
              plan.largestValue(store),
              store.hasEarlierVersions()));
    }
    TaskState state =
        new TaskState(
            id.toString(),
            disks.open(id.toString()),
            stores,
            plan.description().parkedStores(),
            share.limits().withLargest(sizes.keyBytes(), sizes.valueBytes()));
    state.watch(LargeValueLog.of(id));
    return state;
  }

  /// What the versions of the application's plans say was checked by whoever made the plan; this
  /// holds where they are lost or pass by this task.
  public void requireSamePlan(Plan.TaskId id, @Nullable CommitRecord record) {
    if (record != null && !plan.follows(record.planVersion())) {
      throw new CannotBeginException(
          "Task %s was committed by plan %x of application '%s', but this is plan %x. Run the same topology"
                  .formatted(id, record.planVersion(), plan.application(), plan.version())
              + " with the same partitions, or give the application another name.");
    }
  }

  /// The disk of a task failed and is closed. It is wiped if that is proven to be needed.
  public void failed(Plan.TaskId id, DiskException failure) {
    if (failure.kind() == DiskException.Kind.CORRUPT) {
      LOG.warn(
          "The local state of task {} is corrupt and is restored from {}: {}",
          id,
          changelogOf(id),
          failure.getMessage());
      snapshots.corrupt(id);
      wipe(id);
    }
  }

  /// If the disk cannot be wiped now, its next opening finds it corrupt again.
  private void wipe(Plan.TaskId id) {
    try {
      disks.wipe(id.toString());
    } catch (DiskException e) {
      LOG.warn("The corrupt state of task {} could not be removed: {}", id, e.getMessage());
    }
  }
}

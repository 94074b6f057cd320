package dev.millrace.internal.engine.recovery;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CannotBeginException;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.commit.DiskPosition;
import dev.millrace.internal.engine.commit.JobIdentity;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Whether a task may go on from what lies on its disk. What follows on it is the changelog from
/// the disk's position on, so that must be the same changelog, and still hold all that came since.
final class DiskCheck {
  private final String application;
  private final JobIdentity job;
  private final Plan.TaskId task;
  private final Split changelog;
  private final Supplier<Log.Offsets> again;
  private Log.Offsets offsets;

  /// @param offsets of the task's changelog
  /// @param again reads them again: whoever had the disk until now may have written to both since
  DiskCheck(
      String application,
      JobIdentity job,
      Plan.TaskId task,
      Split changelog,
      Log.Offsets offsets,
      Supplier<Log.Offsets> again) {
    this.again = again;
    this.application = application;
    this.job = job;
    this.task = task;
    this.changelog = changelog;
    this.offsets = offsets;
  }

  /// What a disk says of itself; null if nothing was ever written to it.
  ///
  /// @throws DiskException of kind `CORRUPT` if that cannot be read
  @Nullable DiskPosition read(byte @Nullable [] position) {
    if (position == null) {
      return null;
    }
    try {
      DiskPosition read = DiskPosition.read(position);
      if (read.commitRecord().length > 0) {
        CommitRecord.read(Bytes.of(read.commitRecord()));
      }
      return read;
    } catch (IllegalArgumentException e) {
      throw new DiskException(
          DiskException.Kind.CORRUPT,
          "The position on the disk of task %s cannot be read: %s".formatted(task, e.getMessage()),
          e);
    }
  }

  /// Refuses to go on where the changelog is not the one the state was made with, or has lost
  /// records. That is never taken for an empty changelog: a person decides.
  ///
  /// @param position null if there is no local state
  /// @throws DiskException of kind `CORRUPT` if it is the state of another task: the changelog has
  ///   both
  void requireSameChangelog(@Nullable DiskPosition position) {
    if (position == null) {
      if (offsets.start() > 0) {
        throw new CannotBeginException(
            "Changelog %s begins at offset %d: records were deleted from it, and with them state of task %s. Only compaction may remove records of a changelog."
                    .formatted(changelog, offsets.start(), task)
                + " Restore the topic. "
                + Remedies.beginAnew(application));
      }
      return;
    }
    requireSame("cluster", position.clusterId(), job.clusterId());
    requireSame("topic", position.topicId(), job.changelogTopicId());
    if (position.offset() < offsets.start()) {
      throw new CannotBeginException(
          "The local state of task %s is at offset %d of %s, which begins at %d: records between them were deleted."
                  .formatted(task, position.offset(), changelog, offsets.start())
              + " Only compaction may remove records of a changelog. Restore the topic. "
              + Remedies.beginAnew(application));
    }
    if (position.offset() > offsets.end()) {
      offsets = again.get();
    }
    if (position.offset() > offsets.end()) {
      throw new CannotBeginException(
          Remedies.lostEnd(task, position.offset(), changelog, offsets.end(), application));
    }
    if (ofAnotherTask(position)) {
      throw new DiskException(
          DiskException.Kind.CORRUPT,
          "The state directory of task %s holds the state of task %s."
              .formatted(task, position.task()),
          null);
    }
  }

  private boolean ofAnotherTask(DiskPosition position) {
    return !position.task().isEmpty() && !position.task().equals(task.toString());
  }

  private void requireSame(String what, String found, String expected) {
    if (!found.equals(expected)) {
      throw new CannotBeginException(
          "The local state of task %s belongs to %s of %s %s, but this one is of %s %s. The topic was created again, or the address of another Kafka is configured."
                  .formatted(task, changelog, what, found, what, expected)
              + " Connect to the right Kafka; or, "
              + Remedies.dropLocalState(application));
    }
  }

  /// Whether the changelog has nothing, so that no snapshot could be of use.
  boolean nothingToRestore() {
    return offsets.end() == 0;
  }

  /// Why a task may not go on from a disk with this position, which is not its own; empty if it
  /// may.
  String obstacle(byte[] bytes, long nowMillis) {
    DiskPosition position;
    try {
      position = read(bytes);
    } catch (DiskException e) {
      return String.valueOf(e.getMessage());
    }
    if (position == null
        || !position.clusterId().equals(job.clusterId())
        || !position.topicId().equals(job.changelogTopicId())) {
      return "it belongs to another changelog than this " + changelog;
    }
    if (ofAnotherTask(position)) {
      return "it belongs to task " + position.task();
    }
    if (position.offset() < offsets.start() || position.offset() > offsets.end()) {
      return "it is at offset %d of %s, which has %d to %d"
          .formatted(position.offset(), changelog, offsets.start(), offsets.end());
    }
    return tooOld(position, nowMillis)
        ? "it is so old that later deletions may have been removed from the changelog"
        : "";
  }

  /// Whether deletions that came after the disk's position may be gone from the changelog, so that
  /// what they deleted would be back: they are kept for a while only, and half of it is trusted.
  boolean tooOld(DiskPosition position, long nowMillis) {
    return position.offset() < offsets.end()
        && nowMillis - position.writtenMillis() > job.deletionsKept().toMillis() / 2;
  }
}

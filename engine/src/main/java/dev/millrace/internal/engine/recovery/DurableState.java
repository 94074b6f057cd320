package dev.millrace.internal.engine.recovery;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.commit.DiskPosition;
import dev.millrace.internal.engine.commit.JobIdentity;
import dev.millrace.internal.engine.metrics.FlushCause;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.Clock;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The state of a task and what makes it durable: the last commit, how far the changelog holds it,
/// and how far the disk does.
///
/// The disk is brought up to a committed position less often than there are commits; what the
/// changelog holds beyond it is replayed after a crash.
public final class DurableState {
  /// The least step, in milliseconds, in which the time of a task without input moves.
  private static final long LEAST_STEP = 1_000;

  private final Shared shared;
  private final Plan.TaskId task;
  private final String name;
  private final Split changelog;
  private final TaskState state;
  private final DiskTail tail;
  private final TaskMetrics metrics;

  /// Brings what the task has of another one; null if it has all of that.
  private @Nullable BaseReplay base;

  private @Nullable CommitRecord committed;
  private long changelogPosition;

  /// The time of the last commit, by which values expire.
  private long expiryMillis;

  /// What the states of a worker's tasks have in common.
  ///
  /// @param flushInterval after which changes go to disk
  public record Shared(JobIdentity job, Clock clock, Duration flushInterval) {}

  /// @param onDisk what the disk holds; null if nothing was written to it yet
  /// @param changelogStart the first offset of the changelog
  DurableState(
      Shared shared,
      Plan.TaskId task,
      Split changelog,
      TaskState state,
      @Nullable DiskPosition onDisk,
      long changelogStart,
      TaskMetrics metrics) {
    this.shared = shared;
    this.task = task;
    name = task.toString();
    this.changelog = changelog;
    this.state = state;
    this.metrics = metrics;
    changelogPosition = onDisk == null ? changelogStart : onDisk.offset();
    if (onDisk != null && onDisk.commitRecord().length > 0) {
      committed = CommitRecord.read(Bytes.of(onDisk.commitRecord()));
    }
    tail = new DiskTail(shared, changelogPosition);
  }

  public Plan.TaskId task() {
    return task;
  }

  /// Says that the state is not complete before something of another task was replayed.
  void needs(BaseReplay newBase) {
    base = newBase;
  }

  /// Whether something of another task is still to be replayed, before its own changelog.
  boolean needsBase() {
    return base != null;
  }

  /// Whether all of that was replayed that is there, of a task that does not exist yet.
  boolean awaitsBirth() {
    return base != null && base.isAtEnd();
  }

  /// Goes on to replay that.
  ///
  /// @return whether anything was done
  boolean baseStep() {
    BaseReplay of = base;
    if (of == null) {
      return false;
    }
    boolean any = of.step(this);
    if (of.isDone()) {
      base = null;
      of.close();
      flush();
      any = true;
    }
    return any;
  }

  /// Lets go of the disk.
  public void close() {
    if (base != null) {
      base.close();
    }
    state.close();
  }

  /// Returns the task's id as text.
  String name() {
    return name;
  }

  public TaskMetrics metrics() {
    return metrics;
  }

  public TaskState state() {
    return state;
  }

  public Split changelog() {
    return changelog;
  }

  /// Returns the first offset of the changelog that is not part of the state.
  public long changelogPosition() {
    return changelogPosition;
  }

  /// Returns the last commit; null if there was none.
  public @Nullable CommitRecord committed() {
    return committed;
  }

  /// Takes over a batch of the changelog's committed records.
  ///
  /// @param end where the replay ends, after a commit: what lies there already is of a successor
  ///   who took over meanwhile, and perhaps only a part of a commit
  void replay(RecordBatch batch, long end) {
    CommitRecord last = ChangelogReplay.into(state, batch, changelog, end);
    if (last != null) {
      committed = last;
    }
    changelogPosition = Math.max(changelogPosition, Math.min(batch.nextOffset(), end));
    tail.restored(batch.dataLength());
    metrics.addRestored(batch.size());
  }

  /// Moves the time by which values expire to that of a commit.
  public void expiresBy(long millis) {
    expiryMillis = millis;
    state.clock(millis);
  }

  /// Whether a commit is due only for that time to move.
  public boolean isExpiryDue(long now) {
    long shortest = state.shortestTimeToLiveMillis();
    return shortest > 0 && now - expiryMillis >= Math.max(LEAST_STEP, shortest / 8);
  }

  /// Freezes what has changed, for a commit.
  public void freeze() {
    state.freeze();
    tail.commitBegins();
  }

  /// Notes that so many bytes go into the changelog with the commit under way.
  public void collected(long bytes) {
    tail.pending(bytes);
  }

  /// Notes that what was frozen last is committed.
  ///
  /// @param end of the commit in the changelog
  public void committed(CommitRecord record, long end) {
    state.acknowledge();
    committed = record;
    changelogPosition = end;
    tail.committed();
  }

  /// Returns why the committed layer should go to disk now; or only the position, so that a disk
  /// whose entries do not change does not grow too old to be gone on from. Null if it need not.
  @Nullable FlushCause wantsFlush(long nowNanos) {
    if (state.wantsFlush()) {
      return FlushCause.MEMORY;
    }
    boolean due = state.gauges().committedBytes() > 0 && tail.isDue(nowNanos);
    return due || (canFlush() && tail.isOld(nowNanos)) ? FlushCause.INTERVAL : null;
  }

  /// Returns what a recovery would replay: bytes of keys and values in the changelog that are not
  /// on disk.
  long tailBytes() {
    return tail.bytes();
  }

  /// Whether anything of it is on disk.
  boolean isOnDisk() {
    return tail.position() > 0;
  }

  /// Whether the disk is behind what is committed.
  boolean canFlush() {
    return changelogPosition > tail.position();
  }

  /// Brings the disk up to the committed position.
  void flush() {
    if (state.isFlushing()) {
      finishFlush();
    }
    tail.flushBegins(changelogPosition);
    state.flush(position());
    tail.flushed();
  }

  /// Begins to bring the disk up to the committed position, in the background.
  void beginFlush() {
    state.beginFlush(position());
    tail.flushBegins(changelogPosition);
  }

  /// Finishes what [#beginFlush] has begun.
  void finishFlush() {
    state.finishFlush();
    tail.flushed();
  }

  private byte[] position() {
    byte[] record = committed == null ? new byte[0] : committed.toBytes();
    long now = shared.clock().millis();
    long offset = base == null ? changelogPosition : DiskPosition.INCOMPLETE;
    return shared.job().diskPosition(name, offset, now, record).toBytes();
  }
}

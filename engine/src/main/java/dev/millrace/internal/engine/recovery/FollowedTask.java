package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.commit.CannotBeginException;
import dev.millrace.internal.engine.commit.Claim;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.commit.Succession;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.DiskException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A task that a container does not own and replays. Used by the thread of the [Follower].
final class FollowedTask {
  /// How long it waits before it tries again what has failed.
  private static final long RETRY_NANOS = Duration.ofMillis(100).toNanos();

  /// The same at first where another process of this host has the directory still: it may be about
  /// to close it.
  private static final long SOON_NANOS = Duration.ofMillis(10).toNanos();

  private final Plan.TaskId id;
  private @Nullable DurableState state;
  private @Nullable TaskSuccession succession;
  private boolean follows;
  private boolean reads;

  /// How old its state is, for who asks.
  private final CopyAge age = new CopyAge();

  /// Up to where it is replayed as when a worker begins.
  private long bulkEnd;

  private long notBeforeNanos;
  private boolean waits;

  /// How long it waits if another process has the directory the next time, too.
  private long soonNanos = SOON_NANOS;

  FollowedTask(Plan.TaskId id) {
    this.id = id;
  }

  Plan.TaskId id() {
    return id;
  }

  /// Returns the state if it is open here.
  @Nullable DurableState state() {
    return state;
  }

  /// Whether it replays something of the task that it is split off from.
  boolean needsBase() {
    DurableState opened = state;
    return opened != null && opened.needsBase();
  }

  @Nullable TaskSuccession succession() {
    return succession;
  }

  boolean follows() {
    return follows;
  }

  void follow(boolean yes) {
    follows = yes;
  }

  /// It comes. When it has gone again it is followed only if that is asked for again: until then it
  /// would keep its directory from a neighbour that is to have it.
  void succeed(Succession begun) {
    succession = new TaskSuccession(begun);
    follows = false;
    waits = false;
    soonNanos = SOON_NANOS;
  }

  /// It does not come any more, or by another claim.
  void drop(Claim claim) {
    TaskSuccession dropped = succession;
    if (dropped != null && dropped.claim().equals(claim)) {
      succession = null;
    }
  }

  /// Whether it comes, or is followed.
  boolean isWanted() {
    return follows || succession != null;
  }

  boolean needsClaims() {
    return succession != null && succession.needsClaims();
  }

  /// Whether it goes on once it is known where its changelog ends now.
  boolean needsEnds(long nowNanos) {
    if (!isWanted() || !isDue(nowNanos)) {
      return false;
    }
    return age.needsEnd() || goesOnWithEnds(nowNanos);
  }

  /// Whether that is for its own sake, and not for that of a question.
  boolean goesOnWithEnds(long nowNanos) {
    DurableState opened = state;
    return opened == null || (succession != null && succession.needsEnds(opened, nowNanos));
  }

  boolean isDue(long nowNanos) {
    return !waits || nowNanos - notBeforeNanos >= 0;
  }

  /// Returns how long it waits, in nanoseconds; the largest number if it waits for nothing but
  /// records.
  long pauseNanos(long nowNanos) {
    return waits && isWanted() ? Math.max(0, notBeforeNanos - nowNanos) : Long.MAX_VALUE;
  }

  /// @param end of the changelog
  void opened(DurableState opened, long end) {
    state = opened;
    waits = false;
    soonNanos = SOON_NANOS;
    bulkEnd = end;
    if (!opened.needsBase()) {
      opened.state().restoring().beginBulk(Math.max(0, end - opened.changelogPosition()));
      replayed();
    }
  }

  /// Its state was at work in a worker.
  void takeBack(DurableState back) {
    state = back;
    bulkEnd = back.changelogPosition();
  }

  /// A batch was replayed: brings the disk up to it, if memory is short or it has arrived.
  void replayed() {
    DurableState of = Objects.requireNonNull(state);
    boolean arrived = of.changelogPosition() >= bulkEnd;
    if (of.state().wantsFlush() || (arrived && of.state().restoring().inBulk())) {
      of.flush();
    }
    if (arrived) {
      of.state().restoring().endBulk();
    }
  }

  boolean isReading() {
    return reads;
  }

  void reads(boolean now) {
    reads = now;
  }

  CopyAge age() {
    return age;
  }

  /// Returns the state, which belongs to a worker from now on.
  @Nullable DurableState handOver() {
    succession = null;
    return close();
  }

  /// Returns the state, which the caller closes.
  @Nullable DurableState close() {
    DurableState closed = state;
    state = null;
    age.forget();
    return closed;
  }

  void failed(RuntimeException e, long nowNanos) {
    waits = true;
    notBeforeNanos = nowNanos + retryNanos(e);
    TaskSuccession failed = succession;
    if (failed != null && e instanceof CannotBeginException) {
      succession = null;
      failed.tell(
          new Succession.Failed(
              new Failure(Failure.Kind.SETUP, Objects.toString(e.getMessage()), e)));
    } else if (failed != null) {
      failed.begin();
    }
  }

  private long retryNanos(RuntimeException e) {
    if (!(e instanceof DiskException disk && disk.kind() == DiskException.Kind.IN_USE)) {
      return RETRY_NANOS;
    }
    long pause = soonNanos;
    soonNanos = Math.min(2 * pause, RETRY_NANOS);
    return pause;
  }
}

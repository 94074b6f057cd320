package dev.millrace.internal.engine.commit;

import dev.millrace.internal.engine.commit.Protocol.Event;
import dev.millrace.spi.LogException;
import dev.millrace.spi.TransactionalWriter;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says what becomes of a commit group when something fails: it goes back to its last commit, a few
/// times without progress, or cannot go on.
final class GroupFailures {
  private static final Logger LOG = LoggerFactory.getLogger(GroupFailures.class);
  private static final int RETRIES_WITHOUT_PROGRESS = 5;

  private final GroupSettings settings;
  private final TransactionalWriter writer;
  private final GroupMetrics metrics;
  private final GrowingPause untilSpace = new GrowingPause();
  private volatile @Nullable Failure last;
  private int retries;

  /// The tasks that the group had when it went back because records were gone; null once it has
  /// committed with others.
  private @Nullable Set<Integer> asked;

  GroupFailures(GroupSettings settings, TransactionalWriter writer, GroupMetrics metrics) {
    this.settings = settings;
    this.writer = writer;
    this.metrics = metrics;
  }

  /// Returns what failed since the last commit, or why the group cannot go on; null if nothing did.
  /// Thread-safe.
  @Nullable Failure last() {
    return last;
  }

  /// Whether the group has gone back since its last commit, and not because of what gets further.
  boolean isRetrying() {
    return retries > 0;
  }

  /// Forgets the failures before a commit that was acknowledged.
  ///
  /// @param owned the numbers of the tasks that the group has
  void committed(Set<Integer> owned) {
    retries = 0;
    asked = owned.equals(asked) ? asked : null;
    untilSpace.reset();
    last = null;
  }

  /// Takes a failure of a member that lets go already.
  void atTheEnd(Failure reported) {
    LOG.warn("While releasing the tasks: {}", reported.message(), trace(reported));
  }

  /// Takes a failure of a member.
  ///
  /// @param owned the numbers of the tasks that the group has
  /// @return what it is to the protocol
  Event of(Failure reported, Set<Integer> owned) {
    return switch (reported.kind()) {
      case PROGRESS -> Event.TASK_FAILED;
      case MENDABLE -> {
        LOG.warn("Rolling back to the last commit: {}", reported.message(), trace(reported));
        yield ++retries > RETRIES_WITHOUT_PROGRESS ? lose(reported) : goBack(reported);
      }
      case NO_SPACE -> goBack(reported);
      case SETUP -> mayBeBarred(reported, owned) ? ask(reported, owned) : lose(reported);
      case BAD_INPUT, FENCED, FINAL -> lose(reported);
    };
  }

  /// Whether records that were to be read next may be gone because another process has read and
  /// deleted them: it has taken over while this one stood still, which learns it at a commit only.
  /// If the group has looked and has the same tasks still, nobody has.
  private boolean mayBeBarred(Failure reported, Set<Integer> owned) {
    return !owned.equals(asked)
        && reported.cause() instanceof LogException e
        && e.kind() == LogException.Kind.POSITION_LOST;
  }

  /// Has the group open its writer anew, which shows whose the tasks are. If they are its own, the
  /// same failure comes again.
  private Event ask(Failure reported, Set<Integer> owned) {
    LOG.info("Looking whether another process has taken over: {}", reported.message());
    asked = new TreeSet<>(owned);
    return goBack(reported);
  }

  private Event goBack(Failure reported) {
    last = reported;
    return Event.TASK_FAILED;
  }

  private Event lose(Failure reported) {
    last = reported;
    return Event.LOST;
  }

  /// Returns how long the group waits until it looks again whether there is space.
  long pauseNanos(Failure noSpace) {
    long pause = untilSpace.nextNanos();
    LOG.warn(
        "The job waits for disk space and tries again in {} ms: {}",
        Duration.ofNanos(pause).toMillis(),
        noSpace.message());
    return pause;
  }

  /// What a log that is away throws says nothing that is not in its message.
  private static @Nullable Throwable trace(Failure reported) {
    return reported.cause() instanceof LogException ? null : reported.cause();
  }

  /// Takes what the log has thrown while others were barred.
  ///
  /// @return what that is to the protocol; null if it is tried again
  @Nullable Event whileFencing(LogException thrown) {
    if (thrown.kind() == LogException.Kind.UNAVAILABLE) {
      LOG.warn("The log is not available, trying again: {}", thrown.getMessage());
      return null;
    }
    return lose(
        new Failure(
            Failure.Kind.of(thrown.kind()),
            Objects.requireNonNullElse(thrown.getMessage(), thrown.kind().toString()),
            thrown));
  }

  /// Takes that a transaction was not committed, as far as is known.
  ///
  /// @return what that is to the protocol
  Event outcomeLost(Event event) {
    LOG.warn(
        "A transaction of '{}' was not committed, as far as is known ({}): {}",
        settings.transactionalId(),
        event,
        writer.failure());
    metrics.unconfirmed();
    return ++retries > RETRIES_WITHOUT_PROGRESS
        ? lose(
            new Failure(
                Failure.Kind.FINAL, "Commits have failed repeatedly: " + writer.failure(), null))
        : event;
  }

  /// Takes that another process has taken over.
  ///
  /// @return what that is to the protocol
  Event fenced() {
    String message =
        "Another process has taken over the transactional id '%s': %s"
            .formatted(settings.transactionalId(), writer.failure());
    return lose(new Failure(Failure.Kind.FENCED, message, null));
  }
}

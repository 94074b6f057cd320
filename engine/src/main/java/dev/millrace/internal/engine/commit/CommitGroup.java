package dev.millrace.internal.engine.commit;

import dev.millrace.internal.engine.commit.Protocol.Action;
import dev.millrace.internal.engine.commit.Protocol.Event;
import dev.millrace.internal.engine.commit.Protocol.State;
import dev.millrace.internal.engine.rest.Rest;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A set of tasks with one transactional id and one transaction: the unit of commit.
///
/// The tasks belong to members, one for each worker that has some of them. The group lives on the
/// thread of its first member and talks to all of them through [Mailbox]es. At every commit
/// interval it sends a barrier, gets a part from each member, puts the parts into one transaction,
/// and tells the members how it ended. [Protocol] says what may happen when.
public final class CommitGroup {
  private static final Logger LOG = LoggerFactory.getLogger(CommitGroup.class);
  private static final Duration WHILE_COMMITTING = Duration.ofMillis(1);

  private final GroupSettings settings;
  private final Clock clock;
  private final GroupWriter writer;
  private final List<Mailbox> members = new ArrayList<>();
  private final Queue<Event> deferred = new ArrayDeque<>();
  private final Set<Mailbox> behind = new LinkedHashSet<>();
  private final Rest rest = new Rest(this::isReported);
  private final Moves moves;
  private final Outgoing outgoing;
  private final Fencing fencing;
  private final CommitPace pace;
  private final GroupMetrics metrics = new GroupMetrics();
  private final GroupFailures failures;

  private volatile State state = State.FENCING;
  private volatile boolean stopRequested;
  private volatile boolean completed;
  private boolean stepped;
  private boolean allEnded;
  private boolean stopApplied;
  private int restored;
  private int published;
  private int ended;
  private long lastCommitNanos;
  private long commitStartedNanos;
  private long positionsNanos;
  private @Nullable CommitCause wanted;

  public CommitGroup(GroupSettings settings, Log log, Clock clock) {
    this.settings = settings;
    this.clock = clock;
    writer = new GroupWriter(log, settings.transactionalId(), settings.commit());
    moves = new Moves(settings);
    outgoing = new Outgoing(settings, writer, metrics);
    fencing = new Fencing(settings, moves, log, writer, clock);
    failures = new GroupFailures(settings, writer, metrics);
    pace = new CommitPace(settings.commit().interval(), settings.commit().latencyTarget());
  }

  /// Adds a member; only before the first [#step].
  public Mailbox join() {
    Mailbox member = new Mailbox(rest::wake);
    members.add(member);
    return member;
  }

  /// Thread-safe.
  public State state() {
    return state;
  }

  /// Whether it has come to its end, good or bad. Thread-safe.
  public boolean finished() {
    return state == State.CLOSED || state == State.FAILED;
  }

  /// Why the group has failed, or closed before its work was done; null if it has not. Thread-safe.
  public @Nullable Failure failure() {
    return failures.last();
  }

  public GroupMetrics metrics() {
    return metrics;
  }

  /// Asks for a last commit and the end. Thread-safe.
  public void requestStop() {
    stopRequested = true;
    rest.wakeNow();
  }

  /// Lets a task come to one of the members, while the others go on. Thread-safe.
  ///
  /// @param version of the decision that says so; later decisions have higher ones
  /// @param force whether those that write for it are barred; else it is waited for until they have
  ///   let go of it
  public void take(int task, long version, boolean force, Mailbox member) {
    moves.ask(() -> moves.take(task, version, force, member, fencing.claims().opened()));
  }

  /// Gives a task away, or lets it not come any more. Thread-safe.
  public void give(int task) {
    moves.ask(() -> moves.give(task, fencing.claims().opened()));
  }

  /// Splits a task in two, if this group has it. Thread-safe.
  ///
  /// @param part the number of the task that is split off
  public void split(int task, int part) {
    moves.ask(() -> moves.split(task, part));
  }

  /// What wakes its thread when something was asked for, or a task is ready; thread-safe. To be set
  /// before the first [#step].
  public void wakeup(Runnable newWakeup) {
    rest.wakeup(newWakeup);
    moves.wakeup(newWakeup);
  }

  /// Says that its thread is about to wait for something else, and is to be woken by what members
  /// report.
  ///
  /// @return false if they have reported something already
  public boolean waits() {
    return rest.begin();
  }

  private boolean isReported() {
    for (int i = 0, count = members.size(); i < count; i++) {
      if (members.get(i).hasReport()) {
        return true;
      }
    }
    return false;
  }

  /// Says that it does not wait any more.
  public void waited() {
    rest.end();
  }

  /// Returns the tasks by their numbers, those that come too. Thread-safe.
  public SortedMap<Integer, HeldTask> held() {
    return moves.held();
  }

  /// Whether the group has closed because the input of all its tasks has ended. Thread-safe.
  public boolean completed() {
    return state == State.CLOSED && completed;
  }

  /// Moves on as far as possible without waiting, but for the log while fencing.
  ///
  /// @return whether anything happened
  public boolean step() {
    boolean progress = false;
    if (!stepped) {
      stepped = true;
      fencing.start(clock.nanos()); // it may have been made long before
    }
    progress |= move();
    if (stopRequested && !stopApplied) {
      stopApplied = true;
      moves.giveAll(fencing.claims().opened());
      apply(Event.STOP);
      progress = true;
    }
    for (Mailbox member : members) {
      for (Report report = member.report(); report != null; report = member.report()) {
        receive(member, report);
        progress = true;
      }
    }
    return switch (state) {
      case FENCING -> fence() || progress;
      case PROCESSING -> (outgoing.open() && pollOutcome()) || commitIfDue() || progress;
      case COMMITTING, COMMITTING_LAST -> pollOutcome() || progress;
      case RELEASING -> pollRelease() || progress;
      case COLLECTING, COLLECTING_LAST -> (outgoing.open() && pollOutcome()) || progress;
      case RESTORING, CLOSED, FAILED -> progress;
    };
  }

  /// Takes in which tasks come and go, and begins those that are ready.
  private boolean move() {
    if (!moves.mayChange() || finished()) {
      return false;
    }
    boolean any = moves.step();
    Failure failed = moves.takeFailure();
    if (failed != null) {
      receive(failed);
    }
    return (state == State.PROCESSING && moves.adopt()) || any;
  }

  private void receive(Mailbox member, Report report) {
    switch (report) {
      case Report.Restored(var writers) -> {
        fencing.found(writers);
        if (state == State.RESTORING && ++restored == members.size()) {
          if (fencing.foundForeign()) {
            apply(Event.FOREIGN_WRITER);
          } else {
            apply(fencing.unchanged() ? Event.RESTORED : Event.TASK_FAILED);
          }
        }
      }
      case Report.Part part -> {
        if (!collecting()) {
          part.release();
        } else if (outgoing.add(member, part) == members.size()) {
          apply(Event.COLLECTED);
        }
      }
      case Report.Early early -> receive(member, early);
      case Report.Published() -> published++;
      case Report.Changed() -> pace.changed();
      case Report.CommitWanted(var cause) -> wanted = wanted == null ? cause : wanted;
      case Report.Behind(var now) -> {
        var _ = now ? behind.add(member) : behind.remove(member);
        pace.behind(!behind.isEmpty());
      }
      case Report.Ended() -> {
        ended++;
        if (ended == members.size() && !moves.mayChange()) {
          allEnded = true;
          apply(Event.STOP);
        }
      }
      case Report.Failed(var reported) -> receive(reported);
    }
  }

  private boolean collecting() {
    return state == State.COLLECTING || state == State.COLLECTING_LAST;
  }

  /// What is sent before its commit keeps a transaction open, and the log gives up what is open for
  /// too long. So behind a failure all is held back until there was a commit again, which then
  /// comes at once.
  private void receive(Mailbox member, Report.Early early) {
    boolean now = !failures.isRetrying();
    if (state == State.PROCESSING || state == State.COMMITTING || collecting()) {
      outgoing.add(member, early, now);
      if (!now && wanted == null && !collecting()) {
        wanted = CommitCause.OUTBOX;
      }
    } else {
      early.release();
    }
  }

  private void receive(Failure reported) {
    if (state == State.CLOSED || state == State.FAILED) {
      failures.atTheEnd(reported);
      return;
    }
    apply(failures.of(reported, moves.owned()));
    if (reported.kind() == Failure.Kind.NO_SPACE) {
      fencing.pauseUntil(clock.nanos() + failures.pauseNanos(reported));
    }
  }

  private void apply(Event event) {
    Protocol.Transition transition = Protocol.on(state, event);
    if (transition.action() == Action.IMPOSSIBLE) {
      throw new AssertionError("In state " + state + " there can be no " + event + ".");
    }
    LOG.debug("{}: {} in {} -> {}", settings.transactionalId(), event, state, transition);
    state = transition.next();
    perform(transition.action(), event);
    if (transition.action() != Action.DEFER && transition.action() != Action.NONE) {
      // One of them may bring up those behind it.
      for (int i = deferred.size(); i > 0 && !deferred.isEmpty(); i--) {
        apply(Objects.requireNonNull(deferred.poll()));
      }
    }
  }

  private void perform(Action action, Event event) {
    switch (action) {
      case NONE -> {}
      case DEFER -> deferred.add(event);
      case RESTORE -> {
        restored = 0;
        tell(new Order.Restore(new LinkedHashMap<>(fencing.ends())));
      }
      case FENCE_MORE -> fencing.more(clock.nanos());
      case BEGIN -> {
        lastCommitNanos = clock.nanos();
        positionsNanos = lastCommitNanos - settings.commit().interval().toNanos();
        moves.begun();
        pace.changed();
        tell(new Order.Begin());
      }
      case COLLECT -> {
        metrics.begun(wanted == null ? CommitCause.INTERVAL : wanted);
        wanted = null;
        commitStartedNanos = clock.nanos();
        pace.barrier();
        outgoing.barrier();
        tell(new Order.Collect(state == State.COLLECTING_LAST, writer.id(), moves.collect()));
      }
      case COMMIT -> commit();
      case PUBLISH -> publish();
      case ROLL_BACK -> {
        outgoing.drop();
        // They were about the attempt that is over: members report anew, a stop is asked for anew.
        deferred.clear();
        completed = false;
        ended = 0;
        allEnded = false;
        stopApplied = false;
        behind.clear();
        pace.behind(false);
        moves.rolledBack();
        fencing.start(clock.nanos());
        tell(new Order.RollBack());
      }
      case CLOSE -> close(state == State.CLOSED);
      case FAIL -> close(false);
      case IMPOSSIBLE -> throw new AssertionError(event);
    }
  }

  private void commit() {
    boolean last = state == State.COMMITTING_LAST;
    boolean positions =
        last || commitStartedNanos - positionsNanos >= settings.commit().interval().toNanos();
    if (positions) {
      positionsNanos = commitStartedNanos;
    }
    outgoing.sendParts();
    fencing.claims().commit();
    outgoing.commit(positions);
  }

  private void tell(Order order) {
    for (Mailbox member : members) {
      member.order(order);
    }
  }

  private boolean fence() {
    long now = clock.nanos();
    if (!fencing.due(now)) {
      return false;
    }
    try {
      if (fencing.fence(now)) {
        apply(Event.FENCED_OTHERS);
      }
      return true;
    } catch (LogException e) {
      if (e.kind() == LogException.Kind.FENCED && fencing.mayBeginAgain()) {
        writer.renew();
        fencing.beginAgain();
        return false;
      }
      Event lost = failures.whileFencing(e);
      if (lost != null) {
        apply(lost);
      }
      return false;
    }
  }

  /// How long its thread may wait for something else.
  public Duration patience() {
    return state == State.PROCESSING
        ? Duration.ofNanos(Math.max(0, untilCommitNanos()))
        : WHILE_COMMITTING;
  }

  private long untilCommitNanos() {
    return pace.pauseNanos(outgoing.owesPositions()) - (clock.nanos() - lastCommitNanos);
  }

  private boolean commitIfDue() {
    if (wanted == null && moves.wantsCommit()) {
      wanted = CommitCause.MOVE;
    }
    if (wanted != null || untilCommitNanos() <= 0) {
      apply(Event.COMMIT_DUE);
      return true;
    }
    return false;
  }

  /// What is sent before its commit may be lost before it, too.
  private boolean pollOutcome() {
    switch (writer.outcome()) {
      case OPEN -> {
        if (!outgoing.open()) {
          throw new AssertionError("A commit was requested and is discarded.");
        }
        return false;
      }
      case PENDING -> {
        return false;
      }
      case COMMITTED -> apply(Event.ACKNOWLEDGED);
      case ABORTED -> apply(failures.outcomeLost(Event.ABORTED));
      case UNKNOWN -> apply(failures.outcomeLost(Event.OUTCOME_UNKNOWN));
      case FENCED -> apply(barred());
    }
    return true;
  }

  /// Where tasks come and go, another one may have been given a task of this group while this one
  /// stood still, and has barred it. Then it goes on without that task.
  private Event barred() {
    if (!moves.mayChange()) {
      return failures.fenced();
    }
    LOG.info(
        "The writer '{}' was barred, and opens again for the tasks that are still its own: {}",
        settings.transactionalId(),
        writer.failure());
    writer.renew();
    return Event.OUTCOME_UNKNOWN;
  }

  private void publish() {
    failures.committed(moves.owned());
    completed = allEnded && state == State.RELEASING;
    lastCommitNanos = clock.nanos();
    long took = lastCommitNanos - commitStartedNanos;
    if (outgoing.used()) { // otherwise nothing was asked of the log
      metrics.committed(took);
      pace.committed(took);
    }
    Map<Split, Long> ends = new LinkedHashMap<>();
    for (Split split : moves.changelog()) {
      long end = writer.committedEnd(split);
      if (end >= 0) {
        ends.put(split, end);
      }
    }
    published = 0;
    fencing.claims().committed();
    tell(new Order.Publish(ends));
    outgoing.committed();
  }

  private boolean pollRelease() {
    if (published >= members.size() && fencing.isReleased(clock.nanos())) {
      apply(Event.RELEASED);
      return true;
    }
    return false;
  }

  /// Lets go of the writer, if the group is not stepped any more and has not come to its end.
  public void abandon() {
    outgoing.drop();
    fencing.close();
    writer.close();
  }

  private void close(boolean orderly) {
    outgoing.drop();
    fencing.close();
    writer.close();
    tell(new Order.Close(orderly));
  }
}

package dev.millrace;

import dev.millrace.internal.cluster.Coordinator;
import dev.millrace.internal.cluster.Departure;
import dev.millrace.internal.cluster.Member;
import dev.millrace.internal.engine.Engine;
import dev.millrace.spi.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// This process as a member of its application, on a thread of its own: it says that it lives, has
/// the engine do what is decided, and decides if no other process does.
final class Membership implements Standing, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
  private static final Duration STEP = Duration.ofMillis(10);

  /// The longest pause between two steps once nothing has happened for a while. What is said or
  /// decided ends it.
  private static final Duration IDLE_STEP = Duration.ofMillis(200);

  private static final Duration IDLE_AFTER = Duration.ofSeconds(2);

  /// The pause between two steps while something is waited for.
  private static final Duration AWAITED_STEP = Duration.ofMillis(2);

  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final Member member;
  private final Coordinator coordinator;
  private final Clock clock;
  private final Runnable shares;
  private final String application;
  private final PlacementPage page;
  private final boolean served;
  private final Thread thread;

  /// Who is woken by news.
  private final Thread owner;

  private long news = -1;
  private long newsNanos;
  private volatile boolean ending;

  /// How long others may take to become ready; null until this process is to leave.
  private volatile @Nullable Duration leaving;

  private volatile View view = new View(false, false, false, false, false);
  private volatile boolean toRestart;
  private long restartAskedNanos;
  private boolean restartAsked;
  private volatile SortedMap<String, String> otherVersions = Collections.emptySortedMap();
  private volatile @Nullable RuntimeException failure;

  /// What other threads see.
  ///
  /// @param isHeard whether the others have been told that this process lives
  /// @param isSettled whether it knows what is decided about it, and has done that
  /// @param isCompleted whether nothing is left to be done by any process
  /// @param isGoing whether it lets go of everything
  /// @param hasLeft whether it has let go of everything, and the others know
  private record View(
      boolean isHeard, boolean isSettled, boolean isCompleted, boolean isGoing, boolean hasLeft) {}

  /// @param shares divides the memory anew if tasks have come or gone
  /// @param served whether [#page] is wanted
  Membership(
      String application,
      Member member,
      Coordinator coordinator,
      Clock clock,
      Runnable shares,
      boolean served) {
    this.application = application;
    this.member = member;
    this.coordinator = coordinator;
    this.clock = clock;
    this.shares = shares;
    this.served = served;
    page = new PlacementPage(application, member.self().home());
    owner = Thread.currentThread();
    thread = new Thread(this::run, "millrace-" + application + "-member");
    thread.setDaemon(true);
    thread.start();
  }

  /// Returns whether the others have been told that this process lives.
  boolean isHeard() {
    return view.isHeard();
  }

  /// Returns what this process knows of who has which task.
  PlacementPage page() {
    return page;
  }

  @Override
  public void look() {
    RuntimeException refused = failure;
    if (refused != null) {
      throw refused;
    }
  }

  @Override
  public SortedMap<String, String> otherVersions() {
    return otherVersions;
  }

  /// Does nothing: the engine tells of each task by itself.
  @Override
  public void begun() {}

  /// Returns whether this process knows what is decided about it, and has done that.
  @Override
  public boolean isSettled() {
    return view.isSettled();
  }

  /// Returns whether nothing is left to be done by any process of the application.
  @Override
  public boolean isCompleted() {
    return view.isCompleted();
  }

  /// Returns whether somebody has asked for this process to be restarted, and others have its tasks
  /// or were waited for long enough.
  @Override
  public boolean isToRestart() {
    return toRestart;
  }

  /// Returns false: the engine goes on without the tasks that others get.
  @Override
  public boolean isTakenAway() {
    return false;
  }

  /// Begins to let go of everything; [#hasLeft] says when that is done.
  @Override
  public void leave(Duration handOver) {
    leaving = handOver;
    member.wakeup();
  }

  /// Returns whether this process has let go of everything, and the others know.
  boolean hasLeft() {
    return view.hasLeft();
  }

  /// Returns whether the engine has let go of its tasks, or cannot do that in order and has nothing
  /// that is not committed.
  @Override
  public boolean mayEnd(Engine engine) {
    View seen = view;
    return seen.hasLeft() || engine.failure() != null || (seen.isGoing() && !engine.settled());
  }

  private void run() {
    MDC.put("application", application);
    Departure departure = new Departure(member, coordinator);
    try (coordinator;
        member) {
      while (!ending) {
        Duration handOver = leaving;
        if (handOver != null) {
          departure.begin(handOver, clock.nanos());
        }
        departure.step(clock.nanos());
        member.step(clock.nanos());
        coordinator.step(clock.nanos());
        shares.run();
        lookForRestart();
        show(departure);
        if (served) {
          page.look(coordinator, clock.nanos());
        }
        member.await(pause(), clock.nanos());
      }
    } catch (RuntimeException e) { // outermost: the end of this thread
      LOG.debug("The process is no member any more.", e);
      failure = e;
      LockSupport.unpark(owner);
    }
  }

  private void lookForRestart() {
    Duration patience = member.restartAsked();
    if (patience != null && !restartAsked) {
      LOG.info("Somebody has asked for a restart of this process. It lets others have its tasks.");
      restartAsked = true;
      restartAskedNanos = clock.nanos();
      member.leave();
    }
    if (restartAsked && !toRestart) {
      boolean waited = patience != null && clock.nanos() - restartAskedNanos >= patience.toNanos();
      toRestart = waited || member.isIdle();
    }
  }

  private Duration pause() {
    if (leaving != null || !view.isSettled()) {
      return AWAITED_STEP;
    }
    boolean busy = clock.nanos() - newsNanos < IDLE_AFTER.toNanos();
    return busy || coordinator.isSomebodyLate() ? STEP : IDLE_STEP;
  }

  private void show(Departure departure) {
    View now =
        new View(
            view.isHeard() || member.isHeard(),
            member.isSettled(),
            member.isCompleted(),
            departure.isGoing(),
            departure.isDone());
    if (!now.equals(view)) {
      view = now;
      newsNanos = clock.nanos();
      LockSupport.unpark(owner);
    }
    if (news != coordinator.news()) {
      news = coordinator.news();
      newsNanos = clock.nanos();
      otherVersions = Collections.unmodifiableSortedMap(coordinator.otherPrograms());
    }
  }

  /// Ends the thread, without a goodbye if that was not said. Waits for Kafka at most a few
  /// seconds.
  @Override
  public void close() {
    ending = true;
    member.wakeup();
    try {
      if (!thread.join(CLOSE)) {
        LOG.warn("The other processes are not told that this one ends: Kafka does not answer.");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}

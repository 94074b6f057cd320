package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.commit.Claim;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.commit.Succession;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.query.Question;
import dev.millrace.internal.engine.query.Questions;
import dev.millrace.internal.engine.settings.TaskShare;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.spi.Clock;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replays the changelogs of tasks that a container does not own, beside the workers: of those that
/// come to it, and of those that it follows so that they could come soon.
///
/// It has a thread of its own, which calls [#step]. What a worker is to begin is [handed
/// over][#handOver] with all of its state.
public final class Follower implements Succession.Successor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);

  /// How long it waits at most while it also reads changelogs with other readers than its own.
  private static final Duration LOOK = Duration.ofMillis(5);

  /// How many batches of claims are read in a step: each commit that moves a task has written one.
  private static final int CLAIMS_AT_ONCE = 1_000;

  private final Plan plan;
  private final Log log;
  private final Clock clock;
  private final StateOpening opening;
  private final TaskShare share;
  private final SplitReader reader;
  private final FollowedClaims claims;
  private final Barring barring;
  private final ConcurrentLinkedQueue<Runnable> asked = new ConcurrentLinkedQueue<>();
  private final Questions questions = new Questions();

  /// By the numbers of tasks.
  private final Map<Integer, FollowedTask> followed = new LinkedHashMap<>();

  /// What is ready for a worker, or was given back by one, by the number of the task.
  private final Map<Integer, Prepared> handedOver = new ConcurrentHashMap<>();

  /// A state that a worker may take over.
  private record Prepared(Claim claim, DurableState state) {}

  private volatile Map<Integer, Boolean> following = new LinkedHashMap<>();
  private volatile Set<Integer> awaitingBirth = new LinkedHashSet<>();
  private boolean closed;

  /// What the states that are open here were told last.
  private StateLimits shared;

  /// @param ownIds the transactional ids of the writers of this process
  public Follower(
      Plan plan,
      StateOpening opening,
      TaskShare share,
      Log log,
      Clock clock,
      Split claims,
      Set<String> ownIds) {
    this.plan = plan;
    this.opening = opening;
    this.share = share;
    shared = share.limits();
    this.log = log;
    this.clock = clock;
    barring = new Barring(log, plan.storage(), ownIds);
    reader = log.reader("follower");
    this.claims = new FollowedClaims(log, claims, reader);
  }

  /// Returns the numbers of the tasks that are followed, and whether each has been replayed to the
  /// end that its changelog had a moment ago. Thread-safe.
  public Map<Integer, Boolean> following() {
    return following;
  }

  /// Returns the numbers of the tasks that could begin at once if they were split off from others
  /// now. Thread-safe.
  public Set<Integer> awaitingBirth() {
    return awaitingBirth;
  }

  private void show() {
    if (followed.isEmpty() && following.isEmpty()) {
      return;
    }
    Map<Integer, Boolean> now = new LinkedHashMap<>();
    Set<Integer> unborn = new LinkedHashSet<>();
    for (FollowedTask each : followed.values()) {
      if (each.follows()) {
        now.put(each.id().number(), isAtEnd(each));
      }
      DurableState state = each.state();
      if (state != null && state.awaitsBirth()) {
        unborn.add(each.id().number());
      }
    }
    following = now;
    if (!unborn.equals(awaitingBirth)) {
      awaitingBirth = unborn;
    }
  }

  private boolean isAtEnd(FollowedTask task) {
    DurableState state = task.state();
    if (state == null || !task.isReading()) {
      return false;
    }
    long end = reader.endOffset(state.changelog());
    return end >= 0 && state.changelogPosition() >= end;
  }

  /// Asks something of a task that is followed. Thread-safe.
  public void ask(Question question) {
    questions.ask(question);
    reader.wakeup();
  }

  private void answer(long now) {
    if (!questions.isEmpty()) {
      questions.answerSome(question -> copy(question, now));
    }
  }

  private Questions.@Nullable Source copy(Question question, long now) {
    FollowedTask task = followed.get(question.task().number());
    DurableState state = task == null ? null : task.state();
    if (task == null || state == null || state.state().restoring().inBulk()) {
      return null;
    }
    Duration oldest = Objects.requireNonNull(question.oldest());
    if (!task.age().isAtMost(oldest, state.changelogPosition(), now)) {
      return null;
    }
    CommitRecord last = state.committed();
    return new Questions.Source(
        state.state().committed(),
        last == null ? Long.MIN_VALUE : last.writtenMillis(),
        task.age().age(now));
  }

  /// Follows a task, or does so no more. Thread-safe.
  public void follow(int task, boolean yes) {
    ask(() -> {
      if (yes || followed.containsKey(task)) {
        of(task).follow(yes);
      }
    });
  }

  @Override
  public void succeed(Succession succession) {
    ask(() -> of(succession.claim().task()).succeed(succession));
  }

  @Override
  public void drop(Claim claim) {
    ask(() -> {
      int task = claim.task();
      Prepared ready = handedOver.get(task);
      if (ready != null && ready.claim().equals(claim) && handedOver.remove(task, ready)) {
        of(task).takeBack(ready.state());
      }
      FollowedTask of = followed.get(task);
      if (of != null) {
        of.drop(claim);
      }
    });
  }

  @Override
  public void opened(String transactionalId) {
    ask(() -> barring.opened(transactionalId));
  }

  /// Returns the state of a task that was told to be ready, which belongs to the caller from then
  /// on. Thread-safe.
  public DurableState handOver(int task) {
    Prepared ready =
        Objects.requireNonNull(handedOver.remove(task), "It was not told to be ready.");
    return ready.state();
  }

  /// Takes over the state of a task that its worker does not need any more; of it nothing is
  /// changed that is not committed. Thread-safe.
  public void takeBack(DurableState state) {
    ask(() -> {
      state.state().share(shared);
      of(state.task().number()).takeBack(state);
    });
  }

  private void ask(Runnable what) {
    asked.add(what);
    reader.wakeup();
  }

  private FollowedTask of(int task) {
    return followed.computeIfAbsent(task, _ -> new FollowedTask(plan.task(task)));
  }

  /// Does a bounded piece of work.
  ///
  /// @param atMost how long to wait for records if there is nothing else to do
  /// @return whether anything was done
  public boolean step(Duration atMost) {
    if (closed) {
      return false;
    }
    boolean any = false;
    for (Runnable next = asked.poll(); next != null; next = asked.poll()) {
      next.run();
      any = true;
    }
    share();
    long now = clock.nanos();
    claims.read(now);
    answer(now);
    Map<Split, Log.Offsets> ends = ends(now);
    for (FollowedTask each : List.copyOf(followed.values())) {
      Log.Offsets ofTask = ends.get(opening.changelogOf(each.id()));
      any |= tried(each, () -> step(each, ofTask, now));
    }
    answer(now);
    any |= replay(any ? Duration.ZERO : pause(atMost));
    show();
    return any;
  }

  /// Returns how long nothing has to be done, if no records come.
  private Duration pause(Duration atMost) {
    long pause = atMost.toNanos();
    long now = clock.nanos();
    for (FollowedTask each : followed.values()) {
      pause = Math.min(pause, each.needsBase() ? LOOK.toNanos() : each.pauseNanos(now));
    }
    return Duration.ofNanos(pause);
  }

  /// Returns where the changelogs end that have to be known about now, with one question about all.
  private Map<Split, Log.Offsets> ends(long now) {
    List<FollowedTask> asking =
        followed.values().stream().filter(each -> each.needsEnds(now)).toList();
    if (asking.isEmpty()) {
      return Collections.emptyMap();
    }
    try {
      return log.offsets(asking.stream().map(each -> opening.changelogOf(each.id())).toList());
    } catch (LogException e) {
      for (FollowedTask each : asking) {
        if (each.goesOnWithEnds(now)) {
          failed(each, e);
        } // else only somebody asks how old it is
      }
      return Collections.emptyMap();
    }
  }

  private void share() {
    StateLimits now = share.limits();
    if (!now.equals(shared)) {
      shared = now;
      for (FollowedTask each : followed.values()) {
        DurableState state = each.state();
        if (state != null) {
          state.state().share(now);
        }
      }
    }
  }

  /// Does what may fail.
  ///
  /// @return whether anything was done
  private boolean tried(FollowedTask task, Step step) {
    try {
      return step.done();
      // outermost: whatever is wrong with one task is not the others' business
    } catch (RuntimeException e) {
      failed(task, e);
      return true;
    }
  }

  private interface Step {
    boolean done();
  }

  private void failed(FollowedTask task, RuntimeException e) {
    say(task, e);
    stopReading(task);
    DurableState state = task.close();
    if (state != null) {
      close(state);
    }
    if (e instanceof DiskException disk) {
      opening.failed(task.id(), disk);
    }
    task.failed(e, clock.nanos());
  }

  private static void say(FollowedTask task, RuntimeException e) {
    if (e instanceof DiskException disk && disk.kind() == DiskException.Kind.IN_USE) {
      LOG.debug("Task {} is still at work in another process of this host.", task.id(), e);
    } else {
      LOG.warn("Task {} cannot be followed now, trying again: {}", task.id(), e.getMessage(), e);
    }
  }

  /// @param ends where the task's changelog ends, if it needs that
  private boolean step(FollowedTask task, Log.@Nullable Offsets ends, long now) {
    if (!task.isDue(now)) {
      return false;
    }
    if (!task.isWanted()) {
      followed.remove(task.id().number());
      stopReading(task);
      DurableState state = task.close();
      if (state != null) {
        Flusher.flush(state);
        close(state);
      }
      return true;
    }
    if (task.state() == null) {
      if (ends != null) {
        open(task, ends);
      }
      return ends != null;
    }
    DurableState opened = Objects.requireNonNull(task.state());
    boolean any = opened.baseStep();
    if (!task.isReading() && !opened.needsBase()) {
      startReading(task);
    }
    if (ends != null) {
      task.age().ends(ends.stableEnd(), now);
    }
    return (task.succession() != null && succeed(task, ends, now)) || any;
  }

  private void open(FollowedTask task, Log.Offsets ends) {
    task.opened(opening.open(task.id(), ends, opening.metricsOf(task.id())), ends.stableEnd());
  }

  private void startReading(FollowedTask task) {
    DurableState state = Objects.requireNonNull(task.state());
    reader.add(state.changelog(), Position.of(state.changelogPosition()));
    task.reads(true);
  }

  private void stopReading(FollowedTask task) {
    if (task.isReading()) {
      reader.remove(opening.changelogOf(task.id()));
      task.reads(false);
    }
  }

  /// Goes on with what has to be done before the task can begin here.
  private boolean succeed(FollowedTask task, Log.@Nullable Offsets ends, long now) {
    if (task.needsClaims() && !claims.areRead()) {
      return false;
    }
    TaskSuccession succession = Objects.requireNonNull(task.succession());
    DurableState opened = Objects.requireNonNull(task.state());
    TaskSuccession.Result result = succession.step(claims, barring, opened, ends, now);
    switch (result) {
      case WAITS -> {
        return false;
      }
      case MOVED -> {
        return true;
      }
      case READY -> {
        stopReading(task);
        DurableState state = Objects.requireNonNull(task.handOver());
        handedOver.put(task.id().number(), new Prepared(succession.claim(), state));
        succession.tellReady();
      }
      case DISPLACED -> {
        task.drop(succession.claim());
        succession.tell(new Succession.Displaced());
      }
    }
    return true;
  }

  private boolean replay(Duration atMost) {
    Duration wait = atMost;
    for (int i = 0; i < CLAIMS_AT_ONCE; i++) {
      RecordBatch batch;
      try {
        batch = reader.poll(wait);
      } catch (LogException e) {
        lost(e);
        return true;
      }
      if (batch == null) {
        return i > 0;
      }
      wait = Duration.ZERO;
      try {
        if (!claims.take(batch)) {
          replay(batch);
          return true;
        }
      } finally {
        batch.release();
      }
    }
    return true;
  }

  private void replay(RecordBatch batch) {
    FollowedTask task = followed.get(batch.split().partition());
    if (task != null && task.state() != null && task.isReading()) {
      tried(task, () -> replayed(task, batch));
    }
  }

  private static boolean replayed(FollowedTask task, RecordBatch batch) {
    DurableState state = Objects.requireNonNull(task.state());
    state.replay(batch, batch.nextOffset());
    task.replayed();
    return true;
  }

  /// A changelog cannot be read on.
  private void lost(LogException e) {
    Split split = e.split();
    if (split != null && claims.lost(split)) {
      LOG.warn("Claims cannot be read now, trying again: {}", e.getMessage());
      return;
    }
    FollowedTask task = split == null ? null : followed.get(split.partition());
    if (task != null) {
      failed(task, e);
    } else {
      LOG.warn("Changelogs cannot be followed now: {}", e.getMessage());
    }
  }

  private static void close(DurableState state) {
    try {
      state.close();
    } catch (DiskException e) {
      LOG.warn("The state of task {} could not be closed: {}", state.task(), e.getMessage());
    }
  }

  /// Lets go of everything. No thread may be in [#step].
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    questions.close();
    reader.close();
    for (Runnable next = asked.poll(); next != null; next = asked.poll()) {
      next.run();
    }
    List<DurableState> states = new ArrayList<>();
    handedOver.values().forEach(each -> states.add(each.state()));
    handedOver.clear();
    for (FollowedTask task : followed.values()) {
      DurableState state = task.close();
      if (state != null) {
        Flusher.flush(state); // it may have been taken back a moment ago
        states.add(state);
      }
    }
    followed.clear();
    states.forEach(Follower::close);
  }
}

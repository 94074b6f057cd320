package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.chain.Chains;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.chain.Probe;
import dev.millrace.internal.engine.commit.CommitCause;
import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.commit.JobIdentity;
import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Order;
import dev.millrace.internal.engine.commit.Report;
import dev.millrace.internal.engine.exchange.DirectPort;
import dev.millrace.internal.engine.failure.Failures;
import dev.millrace.internal.engine.input.Alignment;
import dev.millrace.internal.engine.input.DirectInputs;
import dev.millrace.internal.engine.input.Fetching;
import dev.millrace.internal.engine.input.ReadExchanges;
import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.internal.engine.metrics.Activity;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.query.Question;
import dev.millrace.internal.engine.query.Questions;
import dev.millrace.internal.engine.recovery.Snapshots;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One thread's work: some tasks, all that belongs to them, and perhaps the commit group they are
/// in.
///
/// Whoever owns the thread calls [#step] until [#closed]. A step does a bounded piece of work: an
/// order of the commit group, a piece of replay, or a slice of records. A test steps by hand.
public final class Worker {
  private static final long IDLE_CHECK_NANOS = Duration.ofMillis(10).toNanos();

  /// So many records that fail are passed over before others have their turn.
  private static final int BAD_AT_ONCE = 16;

  private enum Mode {
    /// Nothing may be done before the next order.
    WAITING,
    RESTORING,
    PROCESSING,
    CLOSED
  }

  private final WorkerContext context;
  private final WorkerTasks tasks;
  private final Mailbox group;
  private final @Nullable CommitGroup led;
  private final SplitReader reader;
  private final Fetching fetching;
  private final Waiting waiting;
  private final Departures departures;
  private final DirectPort direct;
  private final DirectInputs directInputs;
  private final Barrier barrier;
  private final Admission admission;
  private final PassingOn passingOn;
  private final Collecting collecting;
  private final Failures failures;
  private final Measuring measuring;
  private final Turns turns;

  private volatile boolean closed;
  private Mode mode = Mode.WAITING;
  private final Questions questions = new Questions();

  /// Whether the tasks stand at a commit: not before they have begun, nor while they are restored.
  private boolean begun;

  private boolean stepped;
  private long stepBegunNanos;
  private boolean failed;
  private boolean commitAsked;
  private boolean endReported;
  private long idleCheckedNanos;

  /// What a worker is to do.
  ///
  /// @param number among the container's workers
  /// @param limits of the memory of the worker and its tasks
  /// @param alignment of the container
  public record Assignment(
      int number,
      Chains.OfWorker chains,
      EngineSettings settings,
      MemoryLimits limits,
      JobIdentity identity,
      List<Plan.TaskId> tasks,
      Alignment alignment) {}

  /// Makes a worker.
  ///
  /// @param direct the exchanges through memory
  /// @param led the commit group that lives on this worker's thread; null if it lives on another's
  public static Worker create(
      Assignment assignment,
      Surroundings surroundings,
      Outbox outbox,
      DirectPort direct,
      ReadExchanges readExchanges,
      Mailbox group,
      @Nullable CommitGroup led) {
    SplitReader reader = surroundings.sources().reader(surroundings.log(), "worker");
    WorkerContext context =
        WorkerContext.of(assignment, surroundings, outbox, direct, readExchanges, reader::wakeup);
    WorkerTasks tasks =
        new WorkerTasks(
            context,
            surroundings.log(),
            reader,
            surroundings.disks(),
            new Snapshots(
                context.plan().application(),
                context.place(),
                context.clock(),
                surroundings.disks(),
                surroundings.snapshots()),
            assignment.limits().ofTask(),
            assignment.tasks());
    Turns turns =
        new Turns(
            assignment.alignment().share(assignment.number()), assignment.settings().idleAfter());
    return new Worker(context, tasks, reader, turns, assignment.limits(), group, led);
  }

  private Worker(
      WorkerContext context,
      WorkerTasks tasks,
      SplitReader reader,
      Turns turns,
      MemoryLimits limits,
      Mailbox group,
      @Nullable CommitGroup led) {
    this.context = context;
    this.tasks = tasks;
    this.group = group;
    this.led = led;
    this.reader = reader;
    this.turns = turns;
    departures =
        new Departures(
            context.outbox(), limits.outboxBytes(), group, context.clock(), tasks.workerMetrics());
    direct = context.direct();
    direct.wakeup(reader::wakeup);
    if (led == null) {
      group.wakeup(reader::wakeup);
    }
    directInputs = new DirectInputs(direct);
    barrier = new Barrier(context, tasks, directInputs);
    admission = new Admission(context, tasks, turns, barrier);
    passingOn = new PassingOn(context, tasks);
    failures = tasks.failures();
    collecting = new Collecting(context, tasks, departures, group, limits.outboxBytes());
    fetching = new Fetching(reader, limits.fetchedBytes(), context.clock(), tasks.workerMetrics());
    measuring = new Measuring(context, tasks, reader, fetching, departures, group);
    waiting = new Waiting(context, tasks, fetching, turns, led);
  }

  /// Whether everything was let go of. Thread-safe.
  public boolean closed() {
    return closed && (led == null || led.finished());
  }

  /// The tasks' counters, by task. Thread-safe.
  public Map<Plan.TaskId, TaskMetrics> metrics() {
    return tasks.metrics();
  }

  /// Gauges of this worker. Thread-safe.
  public WorkerMetrics workerMetrics() {
    return tasks.workerMetrics();
  }

  /// Shows what it does and counts rows. Thread-safe.
  public Probe probe() {
    return context.probe();
  }

  /// Asks one of the tasks for what is committed of its state. Thread-safe.
  public void ask(Question question) {
    questions.ask(question);
    wakeup();
  }

  /// Wakes a step that waits for records. Thread-safe.
  public void wakeup() {
    reader.wakeup();
  }

  /// Does a bounded piece of work.
  ///
  /// @param atMost how long to wait for records if there is nothing else to do
  /// @return whether anything was done
  public boolean step(Duration atMost) {
    if (!stepped) {
      stepped = true;
      tasks.begins();
    }
    stepBegunNanos = context.clock().nanos();
    turnTo(Activity.COMMIT);
    boolean progress = led != null && led.step();
    try {
      tasks.undo();
      progress |= takeOrders();
      turnTo(Activity.OTHER);
      if (begun && !questions.isEmpty()) {
        questions.answer(tasks::committedState);
      }
      return switch (mode) {
        case RESTORING -> restore() || progress;
        case PROCESSING -> work(progress ? Duration.ZERO : atMost) || progress;
        case WAITING, CLOSED -> {
          turnTo(begun && !failed ? Activity.WAIT_COMMIT : Activity.RESTORE);
          yield progress;
        }
      };
    } catch (RuntimeException | Error e) { // outermost: whatever user code throws ends up here
      fail(e);
      return true;
    }
  }

  private void turnTo(Activity now) {
    context.probe().turnTo(now);
  }

  private boolean takeOrders() {
    boolean any = false;
    for (Order order = group.nextOrder(); order != null; order = group.nextOrder()) {
      any = true;
      boolean commits = order instanceof Order.Collect || order instanceof Order.Publish;
      turnTo(commits ? Activity.COMMIT : Activity.RESTORE);
      switch (order) {
        case Order.Restore restore -> {
          failed = false; // a roll-back that failed itself is over too
          begun = false;
          tasks.startRestore(restore.ends());
          mode = Mode.RESTORING;
        }
        case Order.Begin() -> begin();
        case Order.Collect collect -> collect(collect);
        case Order.Publish publish -> {
          tasks.publish(publish.ends());
          group.tell(new Report.Published());
        }
        case Order.RollBack() -> rollBack();
        case Order.Close close -> close(close.orderly());
      }
    }
    return any;
  }

  private boolean restore() {
    turnTo(Activity.RESTORE);
    boolean progress = tasks.restoreStep();
    if (tasks.restored()) {
      mode = Mode.WAITING;
      group.tell(new Report.Restored(tasks.foreignWriters()));
      return true;
    }
    return progress;
  }

  private void begin() {
    endReported = false;
    commitAsked = false;
    begun = true;
    for (Task task : tasks.begin()) {
      for (TaskInput input : task.inputs()) {
        turns.add(task, input);
        if (input.isDirect()) {
          directInputs.begin(
              task.id().stage(), input, () -> tasks.space().holdsBack(task.durable()));
        }
        if (!input.inMemory()) {
          fetching.begin(input);
        }
      }
      if (task.durable().committed() == null) {
        askForCommit(CommitCause.PROGRESS);
      }
    }
    mode = Mode.PROCESSING;
  }

  private void collect(Order.Collect order) {
    if (failed) {
      return; // the group does not know yet that there is nothing to hand over
    }
    commitAsked = false;
    barrier.begin(order);
    goToBarrier();
  }

  /// @return whether the tasks have moved towards the barrier
  private boolean goToBarrier() {
    turnTo(Activity.COMMIT);
    boolean moved = barrier.step();
    Order.Collect arrived = barrier.arrived();
    if (arrived != null) {
      collecting.begin(arrived, barrier.millis());
      if (arrived.last()) {
        mode = Mode.WAITING;
      }
    }
    return moved;
  }

  private boolean work(Duration atMost) {
    turnTo(Activity.FETCH);
    boolean progress = directInputs.receive();
    boolean commits = tasks.wantCommit();
    if (commits && !barrier.underWay()) {
      askForCommit(CommitCause.LIVE_STATE);
    }
    progress |= handOver();
    turnTo(Activity.OTHER);
    progress |= !barrier.underWay() && tasks.poll(admission::maySend);
    boolean room = departures.haveRoom();
    boolean free = room && !commits;
    progress |= free && !barrier.underWay() && tasks.tick(admission::mayTick);
    for (Task task : tasks.all()) {
      if (admission.mayAdvance(task, free)) {
        tasks.at(task);
        task.advance();
        tasks.at(null);
        progress = true;
      }
    }
    long now = context.clock().nanos();
    progress |= !barrier.underWay() && settle(now); // others wait for it
    checkIdle(now);
    turns.look(reader::endOffset, now);
    tasks.workerMetrics().pausedFor(context.clock().nanos() - stepBegunNanos);
    progress |= passingOn.step(now, barrier.underWay());
    boolean busy = progress || turns.any(turn -> admission.mayProcess(turn, free));
    progress |= !busy && direct.handOverAll();
    if (!busy && !collecting.underWay() && context.atLeastOnce()) {
      departures.handOverOutside(now);
    }
    boolean soon = !free || commitAsked || barrier.underWay();
    Activity reason = waiting.reason(commits || barrier.underWay() || collecting.underWay(), room);
    progress |= waiting.fetch(busy || progress ? Duration.ZERO : atMost, soon, reason);
    turnTo(Activity.OTHER);
    progress |= processOne(free);
    progress |= barrier.underWay() && goToBarrier();
    reportEnd();
    if (!progress) {
      turnTo(reason); // its thread may rest
    }
    return progress;
  }

  /// Hands over what leaves, or the next of what was frozen for a commit.
  private boolean handOver() {
    turnTo(Activity.COMMIT);
    if (collecting.underWay()) {
      collecting.step();
      return true;
    }
    departures.handOver();
    return false;
  }

  /// Goes on with what commits have left to be done.
  private boolean settle(long now) {
    turnTo(Activity.COMMIT);
    boolean progress = collecting.settle();
    turnTo(Activity.FLUSH);
    progress |= tasks.flushStep(now);
    turnTo(Activity.OTHER);
    return progress;
  }

  private void askForCommit(CommitCause cause) {
    if (!commitAsked) {
      commitAsked = true;
      group.tell(new Report.CommitWanted(cause));
    }
  }

  private boolean processOne(boolean free) {
    Turns.Turn turn = turns.next(each -> admission.mayProcess(each, free));
    if (turn == null) {
      return false;
    }
    process(turn.task(), turn.input());
    return true;
  }

  private void process(Task task, TaskInput input) {
    boolean endedBefore = input.ended();
    boolean fetched = !input.inMemory();
    if (!goThrough(task, input)) {
      return;
    }
    boolean ended = input.ended() && !endedBefore;
    if (fetched && input.inMemory()) {
      fetching.leave(input);
    } else if (fetched) {
      ended = fetching.processed(input, endedBefore);
    }
    if (ended) {
      askForCommit(CommitCause.PROGRESS);
    }
  }

  /// Processes a slice, without what is bad in it.
  ///
  /// @return false if it has to be left for now
  private boolean goThrough(Task task, TaskInput input) {
    for (int i = 0; i < BAD_AT_ONCE; i++) {
      tasks.at(task);
      try {
        task.process(input);
        tasks.at(null);
        return true;
        // outermost: whatever user code throws ends up here
      } catch (RuntimeException | Error e) {
        if (!fail(e)) {
          return false;
        }
      }
      tasks.undo();
    }
    return false;
  }

  private void checkIdle(long now) {
    if (now - idleCheckedNanos >= IDLE_CHECK_NANOS) {
      idleCheckedNanos = now;
      for (Task task : tasks.all()) {
        task.updateIdle(reader::endOffset, now);
      }
    }
    measuring.look(now);
  }

  private void reportEnd() {
    if (!endReported && tasks.allEnded()) {
      endReported = true;
      group.tell(new Report.Ended());
    }
  }

  private void rollBack() {
    forgetInputs();
    tasks.rollBack();
    barrier.drop();
    collecting.drop();
    context.outbox().clear();
    direct.rollBack();
    measuring.forget();
    failed = false;
    mode = Mode.WAITING;
  }

  private void forgetInputs() {
    fetching.end();
    directInputs.end();
    turns.clear();
  }

  private void close(boolean orderly) {
    mode = Mode.CLOSED;
    begun = false;
    context.badResults().log().flush();
    questions.close();
    try {
      forgetInputs();
      tasks.close(orderly);
      context.outbox().clear();
      direct.clear();
      reader.close();
    } finally {
      closed = true;
    }
  }

  /// Lets go of what a worker that will not be stepped any more still holds.
  public void abandon() {
    if (!closed) {
      close(false);
    }
    if (led != null) {
      led.abandon();
    }
  }

  /// @return whether the worker goes on, when what failed was undone
  private boolean fail(Throwable thrown) {
    context.probe().leave();
    Failure failure = failures.of(thrown);
    if (failure.kind() == Failure.Kind.PROGRESS && mode == Mode.PROCESSING && tasks.canUndo()) {
      return true;
    }
    failed = true;
    if (mode != Mode.CLOSED) {
      mode = Mode.WAITING;
    }
    group.tell(new Report.Failed(failure));
    return false;
  }
}

package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.chain.Probe;
import dev.millrace.internal.engine.commit.CommitCause;
import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Order;
import dev.millrace.internal.engine.commit.Report;
import dev.millrace.internal.engine.exchange.DirectPort;
import dev.millrace.internal.engine.failure.Failures;
import dev.millrace.internal.engine.input.DirectInputs;
import dev.millrace.internal.engine.input.Fetcher;
import dev.millrace.internal.engine.input.ReadExchanges;
import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.internal.engine.metrics.Activity;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.output.DirectFlush;
import dev.millrace.internal.engine.output.OutputFlush;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.query.Question;
import dev.millrace.internal.engine.query.Questions;
import dev.millrace.internal.engine.settings.MemoryLimits;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One thread's work: some tasks, all that belongs to them, and perhaps the commit group they are
/// in.
///
/// Whoever owns the thread calls [#step] until [#closed]. A step does a bounded piece of work: an
/// order of the commit group, a piece of replay, or a slice of records. A test steps by hand.
public final class Worker {
  /// So many records that fail are passed over before others have their turn.
  private static final int BAD_AT_ONCE = 16;

  /// What the worker does between the orders of its commit group.
  private enum Mode {
    /// Nothing: it was not stepped yet.
    NEW,
    /// Nothing: the next order says what is to be done.
    WAITING,
    RESTORING,
    PROCESSING,
    /// A commit was ordered: tasks process only what was sent to them before its barrier.
    BARRIER,
    /// As [#PROCESSING], while what was frozen for a commit is handed over in steps.
    COLLECTING,
    /// Nothing: a task has failed, and the group says how it goes on.
    FAILED,
    CLOSED;

    boolean processes() {
      return this == PROCESSING || this == BARRIER || this == COLLECTING;
    }
  }

  private final WorkerContext context;
  private final WorkerTasks tasks;
  private final Mailbox group;
  private final @Nullable CommitGroup led;
  private final SplitReader reader;
  private final IdleWait idleWait;
  private final OutputFlush outputFlush;
  private final DirectPort direct;
  private final DirectInputs directInputs;
  private final Barrier barrier;
  private final Admission admission;
  private final DirectFlush directFlush;
  private final CommitCollector collector;
  private final Failures failures;
  private final Measurements measurements;
  private final InputSchedule schedule;
  private final CommitRequests requests;
  private final AddedInputs added;

  private volatile boolean closed;
  private Mode mode = Mode.NEW;
  private final Questions questions = new Questions();

  /// Whether the state of all tasks is whole, so that questions are answered: not before they have
  /// begun, nor while they are restored.
  private boolean answers;

  private long stepBegunNanos;

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
    WorkerTasks tasks = new WorkerTasks(context, surroundings, reader, assignment);
    return new Worker(context, tasks, reader, assignment, group, led);
  }

  private Worker(
      WorkerContext context,
      WorkerTasks tasks,
      SplitReader reader,
      Assignment assignment,
      Mailbox group,
      @Nullable CommitGroup led) {
    this.context = context;
    this.tasks = tasks;
    this.group = group;
    this.led = led;
    this.reader = reader;
    MemoryLimits limits = assignment.limits();
    outputFlush =
        new OutputFlush(
            context.outbox(), limits.outboxBytes(), group, context.clock(), tasks.workerMetrics());
    direct = context.direct();
    direct.wakeup(reader::wakeup);
    if (led == null) {
      group.wakeup(reader::wakeup);
    }
    directInputs = new DirectInputs(direct);
    barrier = new Barrier(context, tasks, directInputs);
    Fetcher fetching =
        new Fetcher(reader, limits.fetchedBytes(), context.clock(), tasks.workerMetrics());
    AlignedInputs aligned =
        new AlignedInputs(
            assignment.alignment().share(assignment.number()),
            assignment.settings().input().idleAfter());
    schedule = new InputSchedule(fetching, directInputs, aligned);
    admission = new Admission(context, tasks, schedule);
    directFlush = new DirectFlush(direct, context.clock(), tasks::announce);
    failures = tasks.failures();
    collector = new CommitCollector(context, tasks, outputFlush, group, limits.outboxBytes());
    requests = new CommitRequests(tasks, group);
    added = new AddedInputs(assignment.partitions(), tasks, schedule, requests);
    measurements = new Measurements(context, tasks, reader, fetching, outputFlush, group);
    idleWait = new IdleWait(context, tasks, fetching, aligned, led);
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
    if (mode == Mode.NEW) {
      mode = Mode.WAITING;
      tasks.begins();
    }
    stepBegunNanos = context.clock().nanos();
    turnTo(Activity.COMMIT);
    boolean progress = led != null && led.step();
    try {
      tasks.undo();
      progress |= drainOrders();
      turnTo(Activity.OTHER);
      if (answers && !questions.isEmpty()) {
        questions.answer(tasks::committedState);
      }
      return switch (mode) {
        case RESTORING -> restore() || progress;
        case PROCESSING, BARRIER, COLLECTING -> work(progress ? Duration.ZERO : atMost) || progress;
        case NEW, WAITING, FAILED, CLOSED -> {
          boolean commits = answers && mode != Mode.FAILED;
          turnTo(commits ? Activity.WAIT_COMMIT : Activity.RESTORE);
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

  private boolean drainOrders() {
    boolean any = false;
    for (Order order = group.nextOrder(); order != null; order = group.nextOrder()) {
      any = true;
      boolean commits = order instanceof Order.Collect || order instanceof Order.Publish;
      turnTo(commits ? Activity.COMMIT : Activity.RESTORE);
      switch (order) {
        case Order.Restore restore -> {
          answers = false;
          mode = Mode.RESTORING; // a roll-back that failed itself is over too
          tasks.startRestore(restore.ends());
        }
        case Order.Begin() -> begin();
        case Order.Collect collect -> collect(collect);
        case Order.Publish publish -> {
          tasks.publish(publish.ends());
          tasks.moves().takeSplit().forEach(this::adopt);
          group.tell(new Report.Published());
        }
        case Order.Adopt(var task) -> adopt(tasks.moves().adopt(task));
        case Order.Drop(var task) -> tasks.moves().drop(task);
        case Order.SplitOff split -> tasks.moves().split(split, requests);
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
      group.tell(new Report.Restored(tasks.writers()));
      return true;
    }
    return progress;
  }

  private void begin() {
    requests.begin();
    answers = true;
    for (Task task : tasks.begin()) {
      schedule(task);
    }
    mode = Mode.PROCESSING;
  }

  private void schedule(Task task) {
    schedule.begin(task, task.inputs(), () -> tasks.space().holdsBack(task.durable()));
    if (task.durable().committed() == null) {
      requests.ask(CommitCause.PROGRESS);
    }
  }

  /// Begins a task that has come, unless the worker is about to go back to the last commit, with
  /// that task too.
  private void adopt(Task task) {
    if (mode.processes()) {
      tasks.during(task, tasks::begin);
      schedule(task);
      requests.ask(CommitCause.MOVE);
    }
  }

  private void collect(Order.Collect order) {
    if (mode == Mode.FAILED) {
      return; // the group does not know yet that there is nothing to hand over
    }
    requests.ordered();
    mode = Mode.BARRIER;
    barrier.begin(order);
    moveToBarrier();
  }

  /// @return whether the tasks have moved towards the barrier
  private boolean moveToBarrier() {
    turnTo(Activity.COMMIT);
    boolean moved = barrier.step();
    Order.Collect arrived = barrier.arrived();
    if (arrived != null) {
      mode = Mode.PROCESSING;
      boolean done = collector.begin(arrived, barrier.millis());
      requests.frozen();
      if (arrived.last()) {
        mode = Mode.WAITING;
      } else {
        tasks.moves().leave(arrived.leaving(), collector.split(), schedule::end);
        mode = done ? mode : Mode.COLLECTING;
      }
    }
    return moved;
  }

  /// Does one round of a worker that processes: the phases of a step, in their order.
  private boolean work(Duration atMost) {
    boolean progress = receive();
    progress |= handOver();
    progress |= advance();
    long now = context.clock().nanos();
    progress |= settle(now);
    observe(now);
    progress |= directFlush.step(now, mode == Mode.BARRIER);
    progress |= fetch(progress, atMost, now);
    progress |= processNext();
    progress |= mode == Mode.BARRIER && moveToBarrier();
    requests.report();
    if (!progress) {
      turnTo(reasonToWait()); // its thread may rest
    }
    return progress;
  }

  /// Takes in what other workers sent through memory.
  private boolean receive() {
    turnTo(Activity.FETCH);
    return directInputs.receive();
  }

  /// Hands over what leaves, or the next of what was frozen for a commit; asks for one if the state
  /// wants it.
  private boolean handOver() {
    requests.look(mode == Mode.BARRIER);
    turnTo(Activity.COMMIT);
    if (mode != Mode.COLLECTING) {
      outputFlush.handOver();
      return false;
    }
    if (collector.step()) {
      mode = Mode.PROCESSING;
    }
    return true;
  }

  /// Takes over answers of other systems, and does what is due by the clock or in event time.
  private boolean advance() {
    turnTo(Activity.OTHER);
    boolean toBarrier = mode == Mode.BARRIER;
    boolean progress = !toBarrier && tasks.poll(admission::maySend);
    boolean room = outputFlush.haveRoom();
    admission.look(toBarrier, room, room && !requests.isWanted());
    progress |=
        admission.isFree()
            && !toBarrier
            && tasks.each(admission::mayTick, task -> task.advancing().tick());
    return tasks.each(admission::mayAdvance, task -> task.advancing().step()) || progress;
  }

  /// Goes on with what commits have left to be done, unless others wait for the barrier.
  private boolean settle(long now) {
    if (mode == Mode.BARRIER) {
      return false;
    }
    turnTo(Activity.COMMIT);
    boolean progress = collector.settle();
    turnTo(Activity.FLUSH);
    progress |= tasks.flushStep(now);
    turnTo(Activity.OTHER);
    return progress;
  }

  /// Measures, and looks for inputs that are idle or far ahead of others.
  private void observe(long now) {
    measurements.look(now);
    if (mode == Mode.PROCESSING) {
      added.look();
    }
    schedule.look(reader::endOffset, now);
    tasks.workerMetrics().pausedFor(context.clock().nanos() - stepBegunNanos);
  }

  /// Takes over the next batch of the log, or waits for it if there is nothing else to do.
  private boolean fetch(boolean progress, Duration atMost, long now) {
    boolean busy = progress || schedule.any(admission::mayProcess);
    boolean sent = !busy && direct.handOverAll();
    if (!busy && mode != Mode.COLLECTING && context.atLeastOnce()) {
      outputFlush.handOverOutside(now);
    }
    boolean soon = !admission.isFree() || requests.isAsked() || mode == Mode.BARRIER;
    boolean fetched = idleWait.fetch(busy || sent ? Duration.ZERO : atMost, soon, reasonToWait());
    turnTo(Activity.OTHER);
    return sent || fetched;
  }

  private Activity reasonToWait() {
    boolean commits = requests.isWanted() || mode == Mode.BARRIER || mode == Mode.COLLECTING;
    return idleWait.reason(commits, admission.hasRoom());
  }

  /// Processes a slice of the next input in turn that has one.
  private boolean processNext() {
    InputSchedule.Turn turn = schedule.next(admission::mayProcess);
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
    if (schedule.processed(input, fetched, endedBefore)) {
      requests.ask(CommitCause.PROGRESS);
    }
  }

  /// Processes a slice, without what is bad in it.
  ///
  /// @return false if it has to be left for now
  private boolean goThrough(Task task, TaskInput input) {
    for (int i = 0; i < BAD_AT_ONCE; i++) {
      try {
        tasks.during(task, each -> each.process(input));
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

  private void rollBack() {
    schedule.end();
    tasks.rollBack();
    barrier.drop();
    collector.drop();
    context.outbox().clear();
    direct.rollBack();
    measurements.forget();
    mode = Mode.WAITING;
  }

  private void close(boolean orderly) {
    mode = Mode.CLOSED;
    answers = false;
    context.badResults().log().flush();
    questions.close();
    try {
      schedule.end();
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
    if (failure.kind() == Failure.Kind.PROGRESS && mode.processes() && tasks.canUndo()) {
      return true;
    }
    if (mode != Mode.CLOSED) {
      mode = Mode.FAILED;
    }
    group.tell(new Report.Failed(failure));
    return false;
  }
}

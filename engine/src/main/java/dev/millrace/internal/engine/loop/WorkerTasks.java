package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.commit.CannotBeginException;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.failure.CurrentRecords;
import dev.millrace.internal.engine.failure.FailedWork;
import dev.millrace.internal.engine.failure.Failures;
import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.internal.engine.input.TaskInputs;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.query.Questions;
import dev.millrace.internal.engine.recovery.DurableState;
import dev.millrace.internal.engine.recovery.Flusher;
import dev.millrace.internal.engine.recovery.RecoveryPace;
import dev.millrace.internal.engine.recovery.Remedies;
import dev.millrace.internal.engine.recovery.Restore;
import dev.millrace.internal.engine.recovery.Snapshots;
import dev.millrace.internal.engine.recovery.SpaceWait;
import dev.millrace.internal.engine.recovery.StateOpening;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.internal.engine.settings.TaskShare;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// The tasks of one worker: how they are opened, restored, begun and closed.
final class WorkerTasks implements FailedWork {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerTasks.class);

  private final WorkerContext context;
  private final Log log;
  private final StateOpening opening;
  private final TaskShare share;

  /// What the tasks were told last that each of them may use.
  private StateLimits shared;

  private final OpenTasks open = new OpenTasks();
  private final TaskMoves moves;
  private final WorkerMetrics workerMetrics = new WorkerMetrics();
  private final Restore restore;
  private final RecoveryPace pace;
  private final TaskInputs inputs;
  private final SpaceWait space;
  private final Flusher flusher;
  private final MigrationPace migrations;
  private Map<Split, Long> ends = new LinkedHashMap<>();
  private Plan.@Nullable TaskId at;
  private boolean waiting;

  /// Whether the task at work is to take back what it did.
  private boolean undoes;

  /// @param reader the worker's, for the changelog while nothing else is read
  WorkerTasks(
      WorkerContext context, Surroundings surroundings, SplitReader reader, Assignment assignment) {
    this.context = context;
    log = surroundings.log();
    share = assignment.share();
    shared = share.limits();
    Disks disks = surroundings.disks();
    Snapshots snapshots =
        new Snapshots(
            context.plan().storage(),
            context.place(),
            context.clock(),
            disks,
            surroundings.snapshots());
    opening =
        new StateOpening(
            log,
            context.plan(),
            new DurableState.Shared(
                context.place(), context.clock(), context.settings().state().flushInterval()),
            disks,
            snapshots,
            share);
    restore = new Restore(reader, context.clock(), workerMetrics);
    pace = new RecoveryPace(context.settings().recovery().target(), context.clock(), workerMetrics);
    inputs =
        new TaskInputs(
            context.plan(),
            assignment.partitions(),
            context.sources(),
            log,
            context.clock(),
            context.direct().isUsed(),
            context.settings().input().start());
    space = new SpaceWait(context.clock(), workerMetrics);
    flusher = new Flusher(context.clock(), disks.durable(), pace, space, snapshots, workerMetrics);
    migrations = new MigrationPace(context.clock());
    moves = new TaskMoves(context, open, assignment, migrations, workerMetrics);
    assignment.tasks().forEach(id -> open.add(id, opening.metricsOf(id)));
  }

  /// Lets the tasks use what each of them may now, if that has changed.
  void share() {
    StateLimits now = share.limits();
    if (!now.equals(shared)) {
      shared = now;
      each(task -> task.state().share(now));
    }
  }

  /// Returns what has tasks come and go.
  TaskMoves moves() {
    return moves;
  }

  Iterable<Task> all() {
    return open.tasks();
  }

  /// The metrics of all tasks. Thread-safe.
  Map<Plan.TaskId, TaskMetrics> metrics() {
    return open.metrics();
  }

  WorkerMetrics workerMetrics() {
    return workerMetrics;
  }

  /// Says what is to be made of what the tasks throw.
  Failures failures() {
    return new Failures(
        context.plan(),
        context.settings().errors().onError(),
        context.badRecords(),
        context.badResults(),
        log,
        this);
  }

  @Override
  public Plan.@Nullable TaskId task() {
    return at;
  }

  @Override
  public @Nullable Chain chain() {
    Task task = taskAt();
    return task == null ? null : task.chain();
  }

  @Override
  public CurrentRecords records() {
    return Objects.requireNonNull(taskAt()).atWork();
  }

  @Override
  public void noSpace() {
    space.missing();
  }

  /// The task at work if it is open.
  private @Nullable Task taskAt() {
    return at == null ? null : open.get(at);
  }

  /// Whether what the task at work did with its last piece of work can be taken back, after that
  /// has failed.
  boolean canUndo() {
    Task task = taskAt();
    undoes = task != null && task.canUndo();
    return undoes;
  }

  /// Takes that back, if [#canUndo] has just said so.
  void undo() {
    if (undoes) {
      undoes = false;
      Objects.requireNonNull(taskAt()).undo();
      at(null);
    }
  }

  SpaceWait space() {
    return space;
  }

  /// What a task answers questions from; null if it is not open.
  Questions.@Nullable Source committedState(Plan.TaskId id) {
    Task task = open.get(id);
    return task == null ? null : task.committedState();
  }

  /// Has one of the tasks do something.
  void during(Task task, Consumer<Task> work) {
    at(task);
    work.accept(task);
    at(null);
  }

  /// Has each of the tasks do something, one after the other.
  void each(Consumer<Task> work) {
    for (Task task : open.tasks()) {
      at(task);
      work.accept(task);
    }
    at(null);
  }

  /// Has those of the tasks do something that may.
  ///
  /// @param work returns whether anything was done
  /// @return whether anything was done by any
  boolean each(Predicate<Task> may, Predicate<Task> work) {
    boolean any = false;
    for (Task task : open.tasks()) {
      if (may.test(task)) {
        at(task);
        any |= work.test(task);
        at(null);
      }
    }
    return any;
  }

  /// Has the tasks tell the next stages how far they have come in event time.
  ///
  /// @param millis since 1970, by the clock
  void announce(long millis) {
    // Nobody is told anything before what lies in the topic is processed.
    each(task -> context.direct().isOpen(task.id().stage()), task -> task.announce(millis));
  }

  private void atTask(Plan.TaskId id) {
    at(Objects.requireNonNull(open.get(id)));
  }

  /// Notes the task at work, until another is or none: if it throws, it is the one that has failed.
  /// Also names the task and its partition in the log's context, for what user code logs.
  private void at(@Nullable Task task) {
    at = task == null ? null : task.id();
    if (task == null) {
      MDC.remove("task");
      MDC.remove("partition");
    } else {
      MDC.put("task", task.name());
      MDC.put("partition", task.partition());
    }
  }

  /// Has the tasks take over the answers of other systems.
  ///
  /// @param maySend whether there is room for what comes of them
  /// @return whether there were any
  boolean poll(Predicate<Task> maySend) {
    waiting = false;
    for (Task task : open.tasks()) {
      waiting |= task.advancing().isWaiting();
    }
    return waiting
        && each(
            task -> task.advancing().isWaiting() && maySend.test(task),
            task -> task.advancing().poll());
  }

  /// Whether any task waited for the answers of other systems when they were taken over last.
  boolean isWaiting() {
    return waiting;
  }

  /// The worker is stepped for the first time; it may have been made long before.
  void begins() {
    pace.begins();
  }

  /// Opens the disks that are not open, and begins to replay what the changelog holds beyond them.
  void startRestore(Map<Split, Long> changelogEnds) {
    ends = changelogEnds;
    restore.start();
    List<Plan.TaskId> missing = open.missing();
    if (!missing.isEmpty()) {
      openTasks(missing);
    }
    for (Task opened : open.tasks()) {
      DurableState task = opened.durable();
      long end = end(task);
      if (task.changelogPosition() > end) {
        throw new CannotBeginException(
            Remedies.lostEnd(
                task.task(),
                task.changelogPosition(),
                task.changelog(),
                end,
                context.plan().application()));
      }
      if (task.changelogPosition() < end) {
        restore.add(task, end);
      } else {
        task.state().restoring().endBulk();
      }
    }
    pace.replayBegins();
  }

  private long end(DurableState task) {
    return Objects.requireNonNull(
        ends.get(task.changelog()), "No end offset for " + task.changelog());
  }

  private void openTasks(List<Plan.TaskId> missing) {
    List<Split> splits = missing.stream().map(opening::changelogOf).toList();
    Map<Split, Log.Offsets> offsets = log.offsets(splits);
    for (Plan.TaskId id : missing) {
      at = id;
      Log.Offsets ofTask = Objects.requireNonNull(offsets.get(opening.changelogOf(id)));
      open.open(new Task(context, opening.open(id, ofTask, open.metrics(id)), migrations));
    }
    at = null;
  }

  /// Has each of the tasks take part in a commit, those too of which it is the last one.
  void eachOfCommit(Consumer<Task> work) {
    each(work);
    open.leaving().forEach(work);
  }

  /// Replays a batch.
  boolean restoreStep() {
    boolean any = restore.step(this::atTask);
    at(null);
    return any;
  }

  boolean restored() {
    if (!restore.done()) {
      return false;
    }
    pace.replayed(restore.bytes());
    restore.end();
    space.restored();
    return true;
  }

  /// The writers that have written the last commit of a task and have not let go of it.
  Set<WriterId> writers() {
    Set<WriterId> writers = new LinkedHashSet<>();
    for (Task task : open.tasks()) {
      CommitRecord record = task.durable().committed();
      if (record != null && !record.ownership().equals(CommitRecord.RELEASED)) {
        writers.add(record.writer());
      }
    }
    return writers;
  }

  /// Brings every task to where its last commit stopped.
  Iterable<Task> begin() {
    each(this::begin);
    return open.tasks();
  }

  /// Brings a task to where its last commit stopped.
  void begin(Task task) {
    CommitRecord record = task.durable().committed();
    opening.requireSamePlan(task.id(), record);
    List<TaskInput> ofTask =
        record == null ? inputs.create(task.id()) : inputs.restore(task.id(), record);
    task.begin(ofTask, inputs.gate(task.id(), ofTask));
  }

  /// Returns the inputs of a task for partitions that were added to its streams.
  List<TaskInput> added(Task task) {
    return inputs.added(task.id(), task.inputs());
  }

  void publish(Map<Split, Long> committedEnds) {
    migrations.published();
    moves.left(committedEnds); // whatever becomes of the others, these are not here any more
    each(task -> {
      Long end = committedEnds.get(task.durable().changelog());
      if (end != null) {
        task.publish(!space.holdsBack(task.durable()), end);
      }
    });
  }

  /// Brings disks up to date, one after the other, in the background.
  ///
  /// @return whether anything was done
  boolean flushStep(long nowNanos) {
    boolean any = flusher.step(open.states(), nowNanos, this::atTask);
    at(null);
    return any;
  }

  boolean wantCommit() {
    for (Task task : open.tasks()) {
      if (task.wantsCommit()) {
        return true;
      }
    }
    return false;
  }

  boolean allEnded() {
    for (Task task : open.tasks()) {
      if (!task.advancing().hasEnded()) {
        return false;
      }
    }
    return true;
  }

  void rollBack() {
    restore.end();
    open.stay();
    moves.rolledBack();
    each(Task::rollBack);
  }

  /// A disk failed: it is closed, and opened again by the next restore; wiped before if that is
  /// proven to be needed.
  @Override
  public void diskFailed(Plan.TaskId id, DiskException failure) {
    Task task = open.close(id);
    if (task != null) {
      close(task);
    }
    opening.failed(id, failure);
  }

  void close(boolean orderly) {
    restore.end();
    open.stay();
    if (orderly) {
      flusher.flushLast(open.states());
      open.tasks().forEach(StoreMeasurement::measure);
    }
    open.closeAll().forEach(WorkerTasks::close);
  }

  static void close(Task task) {
    try {
      task.close();
    } catch (DiskException e) {
      LOG.warn("The state of task {} could not be closed: {}", task.id(), e.getMessage());
    }
  }
}

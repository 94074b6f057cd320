package dev.millrace.internal.engine.loop;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.context.TaskOperatorContext;
import dev.millrace.internal.engine.failure.CurrentRecords;
import dev.millrace.internal.engine.failure.PieceUndo;
import dev.millrace.internal.engine.input.CombinedInputs;
import dev.millrace.internal.engine.input.EndOffsets;
import dev.millrace.internal.engine.input.TableGate;
import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.internal.engine.metrics.CommitLatency;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.output.Announcements;
import dev.millrace.internal.engine.output.CommitParts;
import dev.millrace.internal.engine.plan.KeyShare;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.query.Questions;
import dev.millrace.internal.engine.recovery.DurableState;
import dev.millrace.internal.engine.recovery.Restore;
import dev.millrace.internal.engine.recovery.ShareOfState;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.internal.engine.time.TaskClock;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.state.DiskCopy;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The topology's part over one partition: the unit of state, order and recovery. Used by its
/// worker.
///
/// A task is opened once, on its disk; from then on it goes through any number of attempts: the
/// tail of the changelog is replayed ([Restore]), processing begins ([#begin]), and a roll-back
/// leads to the next replay. What it takes in is committed with what came of it.
final class Task {
  /// How many entries are looked at for their expiry after a commit.
  private static final int SWEPT = 1024;

  /// How many bytes of what it has from another task it writes to its own changelog in a commit.
  private static final int COPIED = 1 << 20;

  private final WorkerContext context;
  private final Plan.TaskId id;
  private final Plan.Stage stage;
  private final DurableState durable;
  private final TaskState state;
  private final Announcements announcements;
  private final TaskMetrics metrics;
  private final CommitLatency latency;
  private final PieceUndo undoing;
  private final SliceProcessor processing;
  private final TaskMigration migration;
  private final String name;
  private final String partition;

  private List<TaskInput> inputs = List.of();

  /// Where the task stands in inputs that an earlier plan read and this one does not.
  private List<CommitRecord.Input> parked = List.of();

  private @Nullable TableGate gate;
  private @Nullable Chain chain;
  private @Nullable TaskAdvance advancing;

  /// Writes what it has from another task to its own changelog; null if all stands there.
  private @Nullable DiskCopy copy;

  private @Nullable CommitRecord pending;

  /// The task that is split off with the commit under way, and its first commit record.
  private @Nullable Birth birth;

  private boolean changed;
  private boolean collecting;

  /// Whether nothing is left to be done behind the commit under way.
  private boolean ends;

  private TaskClock clock;

  /// @param pace of migrations in its worker
  Task(WorkerContext context, DurableState durable, MigrationPace pace) {
    this.context = context;
    this.durable = durable;
    id = durable.task();
    name = id.toString();
    partition = Integer.toString(id.partition());
    state = durable.state();
    metrics = durable.metrics();
    latency = new CommitLatency(metrics.latency());
    undoing =
        new PieceUndo(
            id,
            state,
            context.outbox(),
            context.badResults(),
            context.settings().errors().onError(),
            metrics);
    processing = new SliceProcessor(context, id, metrics, latency, undoing);
    stage = context.plan().stage(id.stage());
    migration = new TaskMigration(context.plan().written(), durable, context.clock(), pace);
    announcements = new Announcements(context.plan(), id, context::outboxOf);
    clock = new TaskClock(context.clock(), Long.MIN_VALUE);
  }

  Plan.TaskId id() {
    return id;
  }

  String name() {
    return name;
  }

  /// The partition of its inputs as text.
  String partition() {
    return partition;
  }

  /// Its state, and what makes that durable.
  DurableState durable() {
    return durable;
  }

  TaskState state() {
    return state;
  }

  TaskMetrics metrics() {
    return metrics;
  }

  /// What is committed, for readers outside.
  Questions.Source committedState() {
    CommitRecord last = durable.committed();
    return new Questions.Source(
        state.committed(), last == null ? Long.MIN_VALUE : last.writtenMillis(), Duration.ZERO);
  }

  /// Starts to process where the last commit stopped, or from the beginning.
  ///
  /// @param newGate holds back what waits for tables; null if nothing does
  void begin(List<TaskInput> newInputs, @Nullable TableGate newGate) {
    inputs = new ArrayList<>(newInputs);
    gate = newGate;
    CommitRecord from = durable.committed();
    parked = from == null ? List.of() : CombinedInputs.parked(from, inputs);
    copy = from != null && from.lacksBase() ? state.copy() : null;
    state.own(new ShareOfState(stage, from == null ? KeyShare.ALL : from.keys()));
    long watermark = from == null ? InputTime.UNKNOWN : from.watermark();
    announcements.restore(from);
    clock = new TaskClock(context.clock(), from == null ? Long.MIN_VALUE : from.writtenMillis());
    durable.expiresBy(from == null ? clock.millis() : from.writtenMillis());
    // Where a new input begins, and the end of a bounded one, is fixed by the first commit.
    changed =
        from == null
            || inputs.size() + parked.size() > from.inputs().size()
            || announcements.areDue()
            || !isOwn(from);
    metrics.ended(false);
    Chain newChain = context.chain(id);
    newChain.timed().restore(watermark);
    chain = newChain;
    long number = committedNumber();
    undoing.restored(number);
    newChain.open(this::operatorContext);
    TaskAdvance begun = new TaskAdvance(context, id, inputs, newChain, undoing, clock, metrics);
    begun.begin(watermark);
    advancing = begun;
    changed |= newChain.afterCommit(number);
  }

  /// Whether this worker's writer has written a commit. If not, its next commit says that it owns
  /// the task now.
  private boolean isOwn(CommitRecord record) {
    return record.writer().transactionalId().equals(context.transactionalId())
        && record.ownership().equals(CommitRecord.CLAIMED);
  }

  private long committedNumber() {
    CommitRecord last = durable.committed();
    return last == null ? 0 : last.number();
  }

  private OperatorContext operatorContext(Node.Stateful node) {
    return new TaskOperatorContext(
        id,
        stage,
        node,
        Objects.requireNonNull(chain),
        state,
        committedNumber(),
        context.place().changelogTopicId(),
        undoing.resultsOf(node),
        metrics,
        context.calls(),
        clock);
  }

  /// Whether what it did since a piece of work began can be taken back, after that has failed.
  boolean canUndo() {
    Chain failed = chain;
    return failed != null && undoing.failed(failed, atWork().before(failed.failure().record()));
  }

  /// Takes that back.
  void undo() {
    atWork().again();
    undoing.undo(Objects.requireNonNull(chain), advancing().watermark(), this::operatorContext);
  }

  /// Whether a commit would have something to keep, or is what something goes on with: migrations,
  /// and the copy of what a task has from another one.
  boolean hasChanged() {
    TaskAdvance begun = advancing;
    return changed || copy != null || (begun != null && (begun.hasChanged() || migration.isDue()));
  }

  /// Whether so much has changed that a commit is due.
  boolean wantsCommit() {
    return state.wantsCommit() || undoing.counts().areMany();
  }

  List<TaskInput> inputs() {
    return inputs;
  }

  /// Reads more, from the next commit on durably. Only between [#begin] and the next roll-back.
  void add(List<TaskInput> added) {
    inputs.addAll(added); // which its advance looks at, too
    changed = true;
  }

  /// Whether records wait that came through memory.
  boolean receives() {
    return CombinedInputs.receive(inputs);
  }

  /// Processes the next records of one of its inputs.
  ///
  /// @return how many
  int process(TaskInput input) {
    changed = true;
    int count = processing.slice(input, Objects.requireNonNull(chain), clock.millis());
    advancing().findTarget();
    return count;
  }

  /// Measures what changes all the time and need not be known at once.
  void measure(EndOffsets ends) {
    metrics.lag(CombinedInputs.lag(inputs, ends));
    metrics.memory(state.gauges().memory());
    metrics.sizes(state.sizes());
    metrics.migration(state.migration().progress(), state.migration().isOver());
    if (gate != null && gate.look(metrics, context.clock().nanos())) {
      gate = null;
    }
  }

  /// Tells the tasks behind its exchanges what is new of its time, at a commit and before
  /// [#freeze].
  ///
  /// @param millis since 1970, by the writer's clock
  /// @return whether anything was new
  boolean announce(long millis) {
    boolean any = announcements.make(advancing().told(), advancing().isIdle(), millis);
    changed |= any;
    return any;
  }

  /// Takes part in a commit, if anything changed since the last one: adds positions and freezes the
  /// state; [#collect] does the rest.
  void freeze(WriterId writer, CommitParts parts) {
    freeze(writer, parts, CommitRecord.CLAIMED, null);
  }

  /// Takes part in its last commit here, by which its writer lets go of it.
  void release(WriterId writer, CommitParts parts) {
    changed = true;
    freeze(writer, parts, CommitRecord.RELEASED, null);
  }

  /// Takes part in a commit by which it is split: half of its keys are another task's from then on,
  /// which has been told to begin with what this one has committed. Processes nothing behind it
  /// before it has [begun][#begin] anew.
  void split(WriterId writer, CommitParts parts, Plan.TaskId part, long millis) {
    changed = true;
    announcements.makeFor(part, millis);
    freeze(writer, parts, CommitRecord.CLAIMED, part);
  }

  /// Whether a task is the next one to be split off from this one: one was not already, and others
  /// were that come before.
  boolean splitsOffNext(int part) {
    CommitRecord last = durable.committed();
    int before = last == null ? 0 : last.parts().size();
    return copy == null
        && ShareOfState.unsplittable(stage).isEmpty()
        && context.plan().splits().partsOf(id.number()).indexOf(part) == before;
  }

  /// @param splitsOff the task that is split off; null if none is
  private void freeze(
      WriterId writer, CommitParts parts, String ownership, Plan.@Nullable TaskId splitsOff) {
    long now = clock.millis();
    ends = advancing().hasEnded();
    if (!hasChanged() && !durable.isExpiryDue(now)) {
      metrics.ended(ends);
      return;
    }
    long number = committedNumber() + 1;
    Objects.requireNonNull(chain).beforeCommit(number);
    CommitRecord last = durable.committed();
    CommitRecord record =
        new CommitRecord(
            context.plan().version(),
            ownership,
            number,
            writer,
            advancing().watermark(),
            announcements.watermark(),
            announcements.idle(),
            CombinedInputs.toCommitRecord(inputs, parked),
            now,
            last == null ? KeyShare.ALL : last.keys(),
            last == null ? List.of() : last.parts(),
            copy != null && !copy.isDone());
    durable.freeze();
    undoing.frozen(number);
    CombinedInputs.addPositions(inputs, durable.committed(), context.sources(), parts::position);
    latency.collected();
    birth = null;
    if (splitsOff != null) {
      Split changelog = new Split(durable.changelog().stream(), splitsOff.number());
      birth = new Birth(changelog, record.ofPart());
      record = record.splitting(splitsOff.number());
    }
    pending = record;
    collecting = true;
    changed = false;
    advancing().kept();
    if (!state.collectsInSteps()) {
      collect(parts, Integer.MAX_VALUE);
    }
  }

  /// Whether there is something frozen that was not handed over.
  boolean isCollecting() {
    return collecting;
  }

  /// Hands over the next of what it has frozen: changes for the changelog, and behind the last of
  /// them the commit record.
  ///
  /// @param atMost how many, about
  /// @return how many, but 1 at least
  int collect(CommitParts parts, int atMost) {
    CommitRecord record = Objects.requireNonNull(pending);
    int count =
        state.collect(atMost, (key, value) -> parts.change(durable.changelog(), key, value));
    if (state.isPending()) {
      collecting = false;
      count += copy(parts);
      parts.change(durable.changelog(), CommitRecord.KEY, Bytes.of(record.toBytes()));
      count++;
      if (birth != null) {
        birth.write(stage, state, parts);
        birth = null;
      }
      durable.expiresBy(record.writtenMillis());
    }
    durable.collected(parts.takeChangedBytes());
    return Math.max(1, count);
  }

  /// Writes the next of what it has from another task to its own changelog.
  private int copy(CommitParts parts) {
    DiskCopy of = copy;
    if (of == null) {
      return 0;
    }
    if (of.isDone()) {
      copy = null; // which the record of this commit says
      return 0;
    }
    return of.step(COPIED, (key, value) -> parts.change(durable.changelog(), key, value));
  }

  /// What was collected last is committed, up to that offset of the changelog; goes on with what
  /// follows from that.
  ///
  /// @param sweeps whether to look for what has expired or is to be migrated
  void publish(boolean sweeps, long changelogEnd) {
    CommitRecord done = committed(changelogEnd);
    if (done != null) {
      changed |= Objects.requireNonNull(chain).afterCommit(done.number());
      changed |= sweeps && state.sweep(SWEPT);
      changed |= sweeps && migration.step();
    }
  }

  /// What was collected last is committed, up to that offset of the changelog.
  ///
  /// @return what was committed; null if nothing was collected
  @Nullable CommitRecord committed(long changelogEnd) {
    CommitRecord done = pending;
    pending = null;
    if (done != null) {
      durable.committed(done, changelogEnd);
      metrics.ended(ends);
      latency.committed(context.clock().millis());
      undoing.published();
      for (CommitRecord.Input input : done.inputs()) {
        context.badRecords().forget(id.stage(), input.split(), input.position().offset());
        if (!input.upstream().isEmpty() && done.keys().isAll()) { // else others read it, too
          context.readExchanges().readUpTo(input.split(), input.position().offset());
        }
      }
    }
    return done;
  }

  /// Drops everything that is not committed.
  void rollBack() {
    closeChain();
    latency.rolledBack();
    forgetInputs();
    pending = null;
    birth = null;
    collecting = false;
    undoing.rolledBack();
    state.rollBack();
  }

  /// Ends it here, and returns its state, of which nothing is left that is not committed.
  DurableState detach() {
    rollBack();
    migration.close();
    return durable;
  }

  void close() {
    closeChain();
    forgetInputs();
    migration.close();
    state.close();
  }

  private void forgetInputs() {
    inputs.forEach(TaskInput::clear);
    inputs = List.of();
    gate = null;
    metrics.tablesRemaining(0);
  }

  private void closeChain() {
    atWork().done();
    Chain closing = chain;
    chain = null;
    advancing = null;
    if (closing != null) {
      closing.close();
    }
  }

  /// Returns what advances its operators without records; between [#begin] and the next roll-back.
  TaskAdvance advancing() {
    return Objects.requireNonNull(advancing);
  }

  /// Its operators, between [#begin] and the next roll-back.
  @Nullable Chain chain() {
    return chain;
  }

  CurrentRecords atWork() {
    return processing.atWork();
  }
}

package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.chain.TimedOperators;
import dev.millrace.internal.engine.failure.PieceUndo;
import dev.millrace.internal.engine.input.CombinedInputs;
import dev.millrace.internal.engine.input.EndOffsets;
import dev.millrace.internal.engine.input.TaskInput;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.internal.engine.time.TaskClock;
import java.util.List;

/// Advances the operators of a task where they get no records: in event time, by the clock, and
/// with the answers of other systems. Made anew whenever the task begins.
final class TaskAdvance {
  private final WorkerContext context;
  private final Plan.TaskId id;
  private final List<TaskInput> inputs;
  private final Chain chain;
  private final TimedOperators operators;
  private final PieceUndo undoing;
  private final TaskClock clock;
  private final TaskMetrics metrics;

  /// The watermark that the operators have come to.
  private long watermark;

  /// The watermark that they are to come to.
  private long target;

  /// Whether operators may not have come to the watermark: a call held it back and does so no more,
  /// or an advance that followed was broken off.
  private boolean behind;

  /// Whether a commit would have something to keep.
  private boolean changed;

  TaskAdvance(
      WorkerContext context,
      Plan.TaskId id,
      List<TaskInput> inputs,
      Chain chain,
      PieceUndo undoing,
      TaskClock clock,
      TaskMetrics metrics) {
    this.context = context;
    this.id = id;
    this.inputs = inputs;
    this.chain = chain;
    operators = chain.timed();
    this.undoing = undoing;
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Begins at a watermark, to which the operators were brought that are open now.
  void begin(long from) {
    watermark = from;
    target = from;
    behind = operators.isBehind();
    findTarget();
    resume();
  }

  long watermark() {
    return watermark;
  }

  /// Whether a commit would have something to keep since [#kept].
  boolean hasChanged() {
    return changed;
  }

  /// Says that a commit keeps what has changed.
  void kept() {
    changed = false;
  }

  /// Whether the task can take records now: not while windows up to its watermark are being closed.
  boolean takesRecords() {
    return watermark == target && !behind;
  }

  /// Whether the task should be given more: not while too much waits for the answers of other
  /// systems.
  boolean hasRoom() {
    return operators.hasRoom();
  }

  /// Whether rows wait for answers.
  boolean isWaiting() {
    return operators.isWaiting();
  }

  /// Takes over the answers of other systems.
  boolean poll() {
    undoing.begin(chain);
    boolean any = operators.poll();
    changed |= any;
    // Only a whole advance ends it: one that was broken off goes on, whatever the calls say.
    behind |= operators.isBehind();
    return any;
  }

  /// Whether something may be due by the clock; nothing is once all input has ended.
  boolean isDue() {
    return watermark != InputTime.ENDED && operators.isDue(clock);
  }

  /// How long it is until something may be due by the clock, in milliseconds; `Long.MAX_VALUE` if
  /// nothing will be.
  long untilDueMillis() {
    long due = watermark == InputTime.ENDED ? Long.MAX_VALUE : operators.dueMillis();
    return due == Long.MAX_VALUE ? due : due - clock.millis();
  }

  /// Does what is due by the clock, a bounded step of it.
  boolean tick() {
    undoing.begin(chain);
    boolean any = operators.tick(clock.millis(), firings());
    changed |= any;
    return any;
  }

  /// Closes what the watermark has passed, a bounded step of it.
  ///
  /// @return true: called only where there is something to do
  boolean step() {
    undoing.begin(chain);
    if (operators.advance(target, firings())) {
      watermark = target;
      behind = operators.isBehind();
      metrics.watermark(watermark);
      resume();
    }
    undoing.went(1);
    changed = true;
    return true;
  }

  private int firings() {
    return context.badResults().isCareful(id) ? 1 : undoing.results();
  }

  /// Goes on behind an advance that a crash has broken off.
  private void resume() {
    if (takesRecords()) {
      CombinedInputs.resume(inputs);
    }
  }

  /// Looks how far event time has come at the inputs.
  void findTarget() {
    target = Math.max(target, CombinedInputs.watermark(inputs));
  }

  /// Looks for inputs that have become idle.
  void updateIdle(EndOffsets ends, long nowNanos) {
    long after = context.settings().input().idleAfter().toNanos();
    if (CombinedInputs.updateIdle(inputs, ends, nowNanos, after)) {
      changed = true;
      findTarget();
    }
  }

  /// Whether everything was read and every window closed.
  boolean hasEnded() {
    return watermark == InputTime.ENDED && told() == InputTime.ENDED;
  }

  /// Returns the watermark that others may know: less than that of the task where rows wait.
  long told() {
    return operators.told(watermark);
  }

  /// Whether the task has nothing to say of event time.
  boolean isIdle() {
    return !operators.isWaiting() && CombinedInputs.idle(inputs);
  }
}

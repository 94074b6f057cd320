package dev.millrace.internal.engine.failure;

import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.chain.Outbox;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.operators.FailedResults;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.state.TaskState;
import dev.millrace.spi.settings.OnError;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Takes back what a task did with the piece of work that has failed, so that it can go on without
/// what is bad in it, and nobody else notices.
///
/// What it has sent can always be taken back. Its state can be if no operator with state was at
/// work, and otherwise if the state was marked before the piece. That costs an encoding of all that
/// the last piece changed, so it is done only where something has failed before, until nothing has
/// for long. The first failure of that kind takes the group back to its last commit.
public final class PieceUndo {
  private final Outbox outbox;
  private final BadResults results;
  private final TaskState state;
  private final Plan.TaskId task;
  private final BadCounts counts;
  private final boolean goesOn;
  private final PieceLength length = new PieceLength();

  /// Whether the state is to be marked.
  private boolean marks;

  /// Whether it was before the piece at work.
  private boolean marked;

  /// @param policy for what is bad
  public PieceUndo(
      Plan.TaskId task,
      TaskState state,
      Outbox outbox,
      BadResults results,
      OnError policy,
      TaskMetrics metrics) {
    this.task = task;
    this.state = state;
    this.outbox = outbox;
    this.results = results;
    counts = new BadCounts(metrics);
    goesOn = policy != OnError.FAIL;
  }

  /// How many records the next piece has at most.
  public int records() {
    return length.records();
  }

  /// How many results are made at once at most.
  public int results() {
    return Math.min(outbox.resultsAtOnce(), length.records());
  }

  /// What the task has passed over.
  public BadCounts counts() {
    return counts;
  }

  /// The results of an operator that have failed.
  public FailedResults resultsOf(Node.Stateful operator) {
    return results.of(task, operator.name(), counts, outbox);
  }

  /// The task goes on from a commit.
  public void restored(long number) {
    counts.begin(number);
  }

  /// The task's part of a commit is fixed.
  public void frozen(long number) {
    results.frozen(task);
    counts.frozen(number);
  }

  /// What was frozen last is committed.
  public void published() {
    results.published(task);
    counts.published();
  }

  public void rolledBack() {
    results.rolledBack(task);
  }

  /// A piece of work begins.
  ///
  /// @param open null if the task is not at work
  /// @return the chain that does it
  public Chain begin(@Nullable Chain open) {
    Chain chain = Objects.requireNonNull(open);
    if (goesOn) {
      outbox.mark();
      results.mark();
      counts.mark();
      marks &= !length.isClean();
      marked = marks && chain.failure().mark();
      if (marked) {
        state.mark();
      }
      chain.failure().begin();
    }
    return chain;
  }

  /// A piece with so many records has gone through.
  public void went(int records) {
    length.went(records);
  }

  /// A piece has failed, and what is bad in it is known or can be found.
  ///
  /// @param before how many of its records are known to be in front of the one that failed
  /// @return whether the piece can be taken back
  public boolean failed(Chain chain, int before) {
    length.failed(before);
    boolean can = goesOn && (marked || !chain.failure().isTouched());
    marks |= !can;
    return can;
  }

  /// Takes back the piece that has [#failed].
  ///
  /// @param watermark that the operators had come to
  /// @param contexts of operators that are opened anew
  public void undo(Chain chain, long watermark, Function<Node.Stateful, OperatorContext> contexts) {
    outbox.undo();
    results.undo();
    counts.undo();
    if (chain.failure().isTouched()) {
      state.undo();
      chain.failure().undo(watermark, contexts);
    } else {
      chain.failure().forget();
    }
  }
}

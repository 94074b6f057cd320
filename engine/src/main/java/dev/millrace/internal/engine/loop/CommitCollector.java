package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.commit.Mailbox;
import dev.millrace.internal.engine.commit.Order;
import dev.millrace.internal.engine.output.CommitParts;
import dev.millrace.internal.engine.output.OutputFlush;
import dev.millrace.internal.engine.plan.Plan;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A worker's part of a commit on its way to the commit group.
///
/// When the barrier comes, tasks freeze what they have changed and note where they stand: no record
/// is processed meanwhile, and little is done. What is frozen is encoded and handed over in steps,
/// between which records are processed, and so is, once it is committed, merged into what was
/// committed before. What these records send is of the next commit and is not handed over before
/// all steps are done.
final class CommitCollector {
  /// How many changes a step hands over at most: some tenths of a millisecond's work.
  private static final int MOST = 2_048;

  /// What a change takes at least until it is sent: where there is little room, steps are small.
  private static final int CHANGE_BYTES = 1_024;

  private final WorkerContext context;
  private final WorkerTasks tasks;
  private final OutputFlush outputFlush;
  private final Mailbox group;
  private final int atOnce;

  /// Null if no commit is on its way.
  private @Nullable CommitParts parts;

  /// The numbers of the tasks that the commit splits.
  private final Set<Integer> split = new TreeSet<>();

  /// How many changes the step may still hand over.
  private int left;

  /// @param outboxBytes the memory of what is to be sent
  CommitCollector(
      WorkerContext context,
      WorkerTasks tasks,
      OutputFlush outputFlush,
      Mailbox group,
      long outboxBytes) {
    this.context = context;
    this.tasks = tasks;
    this.outputFlush = outputFlush;
    this.group = group;
    atOnce = Math.clamp(outboxBytes / CHANGE_BYTES, 1, MOST);
  }

  /// Freezes what has changed, and does the first step; all of them if it is the last commit.
  ///
  /// @return whether all is handed over
  /// @param millis since 1970, the time of what is handed over
  boolean begin(Order.Collect order, long millis) {
    split.clear();
    CommitParts begun = new CommitParts(context.outbox(), millis);
    tasks.each(task -> freeze(task, order, begun, millis));
    parts = begun;
    outputFlush.handOverAll();
    boolean done;
    do {
      done = step();
    } while (order.last() && !done);
    return done;
  }

  private void freeze(Task task, Order.Collect order, CommitParts parts, long millis) {
    int number = task.id().number();
    Plan.TaskId part = tasks.moves().splitsOff(task);
    if (order.leaving().contains(number)) {
      task.release(order.writer(), parts);
    } else if (part != null) {
      task.split(order.writer(), parts, part, millis);
      split.add(number);
    } else {
      task.freeze(order.writer(), parts);
    }
  }

  /// Hands over the next of what is frozen.
  ///
  /// @return whether that was all
  boolean step() {
    CommitParts of = parts;
    if (of == null) {
      return true;
    }
    left = atOnce;
    tasks.eachOfCommit(task -> collect(task, of));
    if (left > 0) {
      parts = null;
      group.tell(of.take());
    } else {
      outputFlush.handOver(of.takeFull());
    }
    return left > 0;
  }

  private void collect(Task task, CommitParts of) {
    while (left > 0 && task.isCollecting()) {
      left -= task.collect(of, left);
    }
  }

  /// Goes on with what the last commit left to do.
  ///
  /// @return whether there was anything to do
  boolean settle() {
    for (Task task : tasks.all()) {
      if (task.state().settle(atOnce)) {
        return true;
      }
    }
    return false;
  }

  /// Returns the numbers of the tasks that the commit splits: they begin anew behind it.
  Set<Integer> split() {
    return split;
  }

  /// Forgets the commit.
  void drop() {
    parts = null;
  }
}

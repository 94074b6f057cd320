package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.commit.CommitCause;
import dev.millrace.internal.engine.commit.Order;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.DurableState;
import dev.millrace.internal.engine.recovery.Follower;
import dev.millrace.internal.engine.settings.TaskShare;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The tasks that come to a worker, and those that it lets go of, while its others go on. A task
/// that is split goes and comes back at once, with half of its keys.
final class TaskMoves {
  private static final Logger LOG = LoggerFactory.getLogger(TaskMoves.class);

  private final WorkerContext context;
  private final OpenTasks open;
  private final @Nullable Follower follower;
  private final TaskShare share;
  private final MigrationPace migrations;
  private final WorkerMetrics metrics;

  /// By number, those that are to be split with the next commit, and what is split off.
  private final Map<Integer, Integer> wanted = new TreeMap<>();

  /// The numbers of those that come back.
  private final Set<Integer> splitting = new TreeSet<>();

  /// Those that have come back and have not begun.
  private final List<Task> split = new ArrayList<>();

  TaskMoves(
      WorkerContext context,
      OpenTasks open,
      Assignment assignment,
      MigrationPace migrations,
      WorkerMetrics metrics) {
    this.context = context;
    this.open = open;
    follower = assignment.follower();
    share = assignment.share();
    this.migrations = migrations;
    this.metrics = metrics;
  }

  /// Takes over a task that is prepared.
  ///
  /// @return the task, which has not begun
  Task adopt(int number) {
    DurableState state = Objects.requireNonNull(follower).handOver(number);
    state.state().share(share.limits());
    return come(state);
  }

  private Task come(DurableState state) {
    metrics.settled(false); // before anybody sees that it is here
    open.add(state.task(), state.metrics());
    Task task = new Task(context, state, migrations);
    open.open(task);
    return task;
  }

  /// Lets go of a task that somebody else owns now.
  void drop(int number) {
    Plan.TaskId id = context.plan().task(number);
    Task task = open.close(id);
    open.remove(id);
    if (task != null) {
      handBack(task);
    }
  }

  private void handBack(Task task) {
    try {
      Objects.requireNonNull(follower).takeBack(task.detach());
    } catch (DiskException e) {
      LOG.warn("The state of task {} is closed after: {}", task.id(), e.getMessage());
      WorkerTasks.close(task);
    }
  }

  /// Has a task be split with the next commit, which is asked for, if that is possible now.
  void split(Order.SplitOff order, CommitRequests requests) {
    Task task = open.get(context.plan().task(order.task()));
    if (task != null && task.chain() != null && task.splitsOffNext(order.part())) {
      wanted.put(order.task(), order.part());
      requests.ask(CommitCause.MOVE);
    }
  }

  /// Returns the task that the commit which begins splits off from another one; null if none.
  Plan.@Nullable TaskId splitsOff(Task from) {
    Integer part = wanted.get(from.id().number());
    return part == null ? null : context.plan().task(part);
  }

  /// Sets tasks aside whose last commit is under way, or one that splits them.
  ///
  /// @param leaving the numbers of those that go
  /// @param splits the numbers of those that are split
  /// @param gone is told each
  void leave(Set<Integer> leaving, Set<Integer> splits, Consumer<Task> gone) {
    wanted.clear();
    Set<Integer> all = new TreeSet<>(leaving);
    all.addAll(splits);
    if (!all.isEmpty()) {
      splitting.clear();
      splitting.addAll(splits);
      open.leave(all).forEach(gone);
    }
  }

  /// The commit is done: they are not here any more, or come back.
  void left(Map<Split, Long> committedEnds) {
    for (Task task : open.left()) {
      Long end = committedEnds.get(task.durable().changelog());
      if (end != null) {
        task.committed(end);
      }
      if (splitting.contains(task.id().number())) {
        LOG.info("Task {} has half of its keys from now on.", task.id());
        split.add(come(task.detach()));
      } else {
        handBack(task);
      }
    }
    splitting.clear();
  }

  /// Returns those that have come back, once: they have not begun.
  List<Task> takeSplit() {
    List<Task> taken = List.copyOf(split);
    split.clear();
    return taken;
  }

  /// What was set aside is back, as the commit has failed.
  void rolledBack() {
    wanted.clear();
    splitting.clear();
    split.clear();
  }
}

package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.DurableState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which tasks a worker has: those whose state is open, those that are to be opened, and those that
/// it lets go of with a commit. Used by the worker, but for [#metrics].
final class OpenTasks {
  /// All that it has.
  private final Map<Plan.TaskId, TaskMetrics> all = new LinkedHashMap<>();

  private final Map<Plan.TaskId, Task> open = new LinkedHashMap<>();

  /// Those whose last commit is under way.
  private final Map<Plan.TaskId, Task> leaving = new LinkedHashMap<>();

  private List<DurableState> states = List.of();
  private volatile Map<Plan.TaskId, TaskMetrics> metrics = new LinkedHashMap<>();

  /// Adds a task that is not open.
  void add(Plan.TaskId id, TaskMetrics of) {
    all.put(id, of);
    metrics = new LinkedHashMap<>(all);
  }

  /// Takes over the state of one that it has, opened.
  void open(Task task) {
    open.put(task.id(), task);
    findStates();
  }

  /// Takes out one that is not open any more.
  @Nullable Task close(Plan.TaskId id) {
    Task closed = open.remove(id);
    findStates();
    return closed;
  }

  /// Takes out all that are open; the caller closes them.
  List<Task> closeAll() {
    stay();
    List<Task> closed = new ArrayList<>(open.values());
    open.clear();
    findStates();
    return closed;
  }

  /// Forgets a task that it does not have any more.
  void remove(Plan.TaskId id) {
    all.remove(id);
    metrics = new LinkedHashMap<>(all);
  }

  private void findStates() {
    states = open.values().stream().map(Task::durable).toList();
  }

  /// Sets tasks aside whose last commit is under way.
  ///
  /// @return these
  Collection<Task> leave(Set<Integer> numbers) {
    for (Task task : List.copyOf(open.values())) {
      if (numbers.contains(task.id().number())) {
        open.remove(task.id());
        leaving.put(task.id(), task);
      }
    }
    findStates();
    return leaving.values();
  }

  /// Takes back what was set aside: the commit has failed.
  void stay() {
    open.putAll(leaving);
    leaving.clear();
    findStates();
  }

  /// Takes out what was set aside: the commit is done.
  List<Task> left() {
    List<Task> left = new ArrayList<>(leaving.values());
    leaving.clear();
    left.forEach(task -> remove(task.id()));
    return left;
  }

  /// Returns those whose last commit is under way.
  Collection<Task> leaving() {
    return leaving.values();
  }

  /// Returns those that are open and stay.
  Collection<Task> tasks() {
    return open.values();
  }

  /// Returns the states of these.
  List<DurableState> states() {
    return states;
  }

  @Nullable Task get(Plan.TaskId id) {
    return open.get(id);
  }

  /// Returns those that are not open.
  List<Plan.TaskId> missing() {
    List<Plan.TaskId> missing = new ArrayList<>(all.keySet());
    missing.removeAll(open.keySet());
    return missing;
  }

  /// Returns the metrics of one.
  TaskMetrics metrics(Plan.TaskId id) {
    return Objects.requireNonNull(all.get(id));
  }

  /// Returns the metrics of all. Thread-safe.
  Map<Plan.TaskId, TaskMetrics> metrics() {
    return metrics;
  }
}

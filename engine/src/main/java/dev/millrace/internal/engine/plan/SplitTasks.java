package dev.millrace.internal.engine.plan;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The tasks that were split off from others since the plan was made: each has a share of the keys
/// that another one had. They only grow in number, and a later one has a higher number.
/// Thread-safe.
public final class SplitTasks {
  private final int planned;
  private volatile SortedMap<Integer, Integer> parents = Collections.emptySortedMap();

  /// @param planned how many numbers of tasks the plan gives
  public SplitTasks(int planned) {
    this.planned = planned;
  }

  /// Returns how many numbers of tasks the plan gives; none of those that were split off has one of
  /// them.
  int planned() {
    return planned;
  }

  /// Adds a task.
  ///
  /// @param number which no task of the plan has
  /// @param parent the number of the task that it is split off from
  /// @return whether it was not known
  /// @throws IllegalArgumentException if it is known as a part of another task
  public synchronized boolean add(int number, int parent) {
    Integer known = parents.get(number);
    if (known != null) {
      if (known != parent) {
        throw new IllegalArgumentException(
            "Task %d was split off from task %d, and not from %d."
                .formatted(number, known, parent));
      }
      return false;
    }
    SortedMap<Integer, Integer> more = new TreeMap<>(parents);
    more.put(number, parent);
    parents = Collections.unmodifiableSortedMap(more);
    return true;
  }

  /// Returns which keys a task had when it began: those of a task of the plan are all.
  public KeyShare firstShare(int task) {
    Integer parent = parents.get(task);
    if (parent == null) {
      return KeyShare.ALL;
    }
    KeyShare share = firstShare(parent);
    for (int part : partsOf(parent)) {
      if (part == task) {
        break;
      }
      share = share.kept();
    }
    return share.splitOff();
  }

  /// Returns which keys a task has when all parts are split off from it that are known.
  public KeyShare share(int task) {
    KeyShare share = firstShare(task);
    for (int i = partsOf(task).size(); i > 0; i--) {
      share = share.kept();
    }
    return share;
  }

  /// Returns the tasks that are split off from a task, in order.
  public List<Integer> partsOf(int task) {
    return parents.entrySet().stream()
        .filter(each -> each.getValue() == task)
        .map(Map.Entry::getKey)
        .toList();
  }

  /// Returns all of them: the numbers of the tasks that they were split off from, by their own.
  public SortedMap<Integer, Integer> parents() {
    return parents;
  }
}

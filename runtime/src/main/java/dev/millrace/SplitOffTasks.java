package dev.millrace;

import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// Refuses a program with more tasks than there were when tasks of the application were split:
/// those that were split off have the numbers that its new tasks would get, and with a number
/// state.
final class SplitOffTasks {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private SplitOffTasks() {}

  /// @param plan which gives more numbers of tasks than the one before it
  /// @throws JobStartException if there are tasks with some of these numbers
  static void requireNone(Log log, Plan plan) {
    SortedMap<Integer, Integer> taken = new TreeMap<>();
    try (Decisions decisions = new Decisions(plan.storage(), log)) {
      decisions.readAll(Clock.system(), () -> LockSupport.parkNanos(PAUSE.toNanos()), PATIENCE);
      decisions.parts().forEach((number, part) -> taken.put(number, part.parent()));
    }
    taken.keySet().removeIf(number -> number >= plan.slots());
    if (!taken.isEmpty()) {
      throw new JobStartException(
          "This program has more tasks than the one before, and tasks of '%s' were split: %s. A task that was split off keeps its number and its state, so the program's new tasks cannot have it. Go on with a program that has as many tasks as before, without the new stage or exchange, or give this one another name and let it read its inputs from the beginning."
              .formatted(
                  plan.application(),
                  String.join(
                      ", ",
                      taken.entrySet().stream()
                          .map(each ->
                              "task %d was split off from task %d"
                                  .formatted(each.getKey(), each.getValue()))
                          .toList())));
    }
  }
}

package dev.millrace.internal.engine.loop;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.DiskException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Measures how many bytes the stores of a worker's tasks take. Those of one task may take some
/// milliseconds, so the tasks take turns.
final class StoreMeasurement {
  private static final Logger LOG = LoggerFactory.getLogger(StoreMeasurement.class);

  /// How often those of a task are measured, at most.
  private static final long EVERY_NANOS = Duration.ofSeconds(20).toNanos();

  private final Map<Plan.TaskId, Long> measuredNanos = new LinkedHashMap<>();

  /// Measures the task that has waited longest, if it has waited long enough.
  void step(Iterable<Task> tasks, long nowNanos) {
    Task next = null;
    for (Task task : tasks) {
      if (next == null || waited(task, nowNanos) > waited(next, nowNanos)) {
        next = task;
      }
    }
    if (next != null && waited(next, nowNanos) >= EVERY_NANOS && measure(next)) {
      measuredNanos.put(next.id(), nowNanos);
    }
  }

  private long waited(Task task, long nowNanos) {
    Long measured = measuredNanos.get(task.id());
    return measured == null ? Long.MAX_VALUE : nowNanos - measured;
  }

  /// Measures a task.
  ///
  /// @return whether it could be measured, which it can once all of its state is restored
  static boolean measure(Task task) {
    if (task.chain() == null) {
      return false;
    }
    try {
      task.metrics().storeBytes(task.state().bytes().all());
    } catch (DiskException e) {
      // What is wrong with the disk is found by what needs it.
      LOG.debug("The bytes of the stores of task {} could not be measured.", task.name(), e);
    }
    return true;
  }
}

package dev.millrace.benchmarks.kafkastreams;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// How many records each task has processed. Thread-safe.
final class Counted {
  /// As many as the topic has partitions.
  private static final int TASKS = 4;

  private final Map<Integer, LongAdder> tasks = new ConcurrentHashMap<>();

  LongAdder task(int partition) {
    return tasks.computeIfAbsent(partition, _ -> new LongAdder());
  }

  long records() {
    return tasks.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /// Whether each of the tasks, which are initialized together, has processed one.
  boolean everyTask() {
    return tasks.size() == TASKS && tasks.values().stream().allMatch(each -> each.sum() > 0);
  }
}

package dev.millrace.internal.engine.sources;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.topology.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/// How many partitions a job reads of each stream: those that it was planned for, and those that
/// were added to its topics since. Thread-safe.
///
/// An added partition is read by the task that reads the partition with the same remainder by the
/// number of planned ones. Kafka's partitioner takes the remainder of a key's hash. So if a topic
/// gets a multiple of its partitions, the keys of an added one are those that this task has had
/// before, and no state moves.
public final class ReadPartitions {
  private final Plan plan;
  private final Map<String, Integer> counts = new ConcurrentSkipListMap<>();
  private final AtomicInteger additions = new AtomicInteger();

  public ReadPartitions(Plan plan) {
    this.plan = plan;
  }

  /// Returns how many partitions of an input are read.
  public int of(Plan.Input input) {
    return input.exchange() == null
        ? counts.getOrDefault(input.stream(), input.partitions())
        : input.partitions();
  }

  /// Returns a number that is another one after partitions were added.
  public int additions() {
    return additions.get();
  }

  /// Reads all partitions that a stream has now, if its tasks can. That stays so.
  ///
  /// @param now how many it has
  /// @return whether all are read
  public boolean add(String stream, int now) {
    List<Plan.Input> readers = new ArrayList<>();
    for (Plan.Stage stage : plan.stages()) {
      for (Plan.Input input : stage.inputs()) {
        if (input.exchange() == null && input.stream().equals(stream)) {
          if (isBounded(input) || !stage.canRead(input, of(input), now)) {
            return false;
          }
          readers.add(input);
        }
      }
    }
    if (!readers.isEmpty() && now > of(readers.getFirst())) {
      counts.put(stream, now);
      additions.incrementAndGet();
    }
    return !readers.isEmpty();
  }

  /// Whether it is read up to an end: what is added lies behind that.
  private static boolean isBounded(Plan.Input input) {
    return input.heads().stream()
        .anyMatch(head -> head instanceof Node.Input source && source.source().bounded());
  }
}

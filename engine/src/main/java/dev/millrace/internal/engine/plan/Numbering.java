package dev.millrace.internal.engine.plan;

import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Gives stages, tasks and stores their numbers, which are for ever: what the plan before had keeps
/// them, parked or not, and what is new gets numbers that nothing had.
///
/// A stage is known again by what it reads and keeps: an input or an exchange that only its tasks
/// read, or an operator with state. Tasks are numbered through in the order of the stages' numbers,
/// so a task keeps its number as long as stages keep their partitions. Where they do not, the plan
/// is refused.
final class Numbering {
  /// By the name of an input, exchange or operator, with its kind.
  private final Map<String, Integer> stages = new TreeMap<>();

  /// By the index of a stage.
  private final TreeMap<Integer, Integer> partitions = new TreeMap<>();

  private final Map<String, Integer> stores = new TreeMap<>();

  /// By the name of an exchange that was called otherwise, the name that its topic has.
  private final Map<String, String> topics = new TreeMap<>();

  private final Set<Integer> given = new TreeSet<>();
  private int highestStore;

  /// @param before the plan whose state there is; null if there is none
  Numbering(@Nullable PlanDescription before) {
    if (before != null) {
      before.parts().forEach(this::know);
    }
  }

  private void know(Part part) {
    switch (part.kind()) {
      case STAGE ->
          partitions.put(
              Integer.valueOf(part.name()),
              Integer.valueOf(part.value(PlanDescription.PARTITIONS)));
      case INPUT -> {
        if (part.value(PlanDescription.READ_BY_ALL).equals("no")) {
          stages.put(
              key(part.kind(), part.name()), Integer.valueOf(part.value(PlanDescription.STAGE)));
        }
      }
      case OPERATOR ->
          stages.put(
              key(part.kind(), part.name()), Integer.valueOf(part.value(PlanDescription.STAGE)));
      case EXCHANGE -> {
        stages.put(
            key(part.kind(), part.name()), Integer.valueOf(part.value(PlanDescription.TO_STAGE)));
        if (!part.value(PlanDescription.TOPIC_OF).isEmpty()) {
          topics.put(part.name(), part.value(PlanDescription.TOPIC_OF));
        }
      }
      case STORE -> {
        int number = Integer.parseInt(part.value(PlanDescription.NUMBER));
        stores.put(part.name(), number);
        highestStore = Math.max(highestStore, number);
      }
      case APPLICATION -> {}
    }
  }

  private static String key(Kind kind, String name) {
    return kind + " " + name;
  }

  /// Returns the index of a stage, one for each call.
  ///
  /// @param marks what it reads and keeps: the most telling first
  int stage(Iterable<Mark> marks, int ofPartitions) {
    for (Mark mark : marks) {
      Integer known = stages.get(key(mark.kind(), mark.name()));
      if (known != null && given.add(known)) {
        partitions.put(known, ofPartitions);
        return known;
      }
    }
    int next = partitions.isEmpty() ? 0 : partitions.lastKey() + 1;
    partitions.put(next, ofPartitions);
    given.add(next);
    return next;
  }

  /// Returns the name that the topic of an exchange is called after.
  String topic(String exchange) {
    return topics.getOrDefault(exchange, exchange);
  }

  /// Something by which a stage is known again.
  record Mark(Kind kind, String name) {}

  /// Returns the number of the first task of a stage that has an index.
  int firstTask(int stage) {
    return partitions.headMap(stage).values().stream().mapToInt(each -> each).sum();
  }

  /// Returns how many numbers of tasks are given.
  int slots() {
    return partitions.values().stream().mapToInt(each -> each).sum();
  }

  /// Returns the number of a store.
  ///
  /// @param name with its stage, if several have it
  int store(String name) {
    return stores.computeIfAbsent(name, _ -> ++highestStore);
  }
}

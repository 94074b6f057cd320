package dev.millrace;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.sources.InputPartitions;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Log.TopicSpec;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Checks whether an application has state for other partitions than its inputs have now. Each task
/// has the partition of the changelog with its number, so with other partitions a task would read
/// the state of another task.
final class FormerPartitions {
  private FormerPartitions() {}

  /// Returns why the application cannot be started, line by line; none if nothing is known against
  /// it.
  ///
  /// @param existing those of its topics that exist, by name
  /// @param first whether it is not known which tasks it had, so that there must be as many
  static List<String> refusal(Log log, Plan plan, Map<String, TopicInfo> existing, boolean first) {
    TopicInfo changelog = existing.get(plan.changelogTopic());
    if (changelog == null) {
      return List.of();
    }
    List<String> found = new ArrayList<>();
    if (first && changelog.partitions() != plan.slots()) {
      found.add(
          "Its changelog '%s' has %d partitions, one for each task that it had, but with the partitions that its inputs have now it has %d tasks."
              .formatted(changelog.name(), changelog.partitions(), plan.slots()));
    }
    for (Plan.Exchange exchange : plan.exchanges()) {
      TopicInfo topic = existing.get(exchange.topic());
      if (topic != null && topic.partitions() != exchange.partitions()) {
        found.add(
            "Its exchange '%s' has %d partitions, but the stage after it has %d tasks."
                .formatted(topic.name(), topic.partitions(), exchange.partitions()));
      }
    }
    if (found.isEmpty()) {
      return List.of();
    }
    List<String> lines = changed(log, plan);
    boolean known = !lines.isEmpty();
    if (!known) {
      lines.add(
          "The state of application '%s' belongs to another topology, or its inputs had other numbers of partitions than they have now (%s)."
              .formatted(plan.application(), inputs(plan)));
    }
    lines.addAll(found);
    lines.add(
        "Do not add partitions to these topics: that cannot be undone, and would give tasks the"
            + " state of other tasks.");
    lines.add(
        known
            ? InputPartitions.wayOut(plan.application())
            : "Run the topology that wrote the state, give the application another name, or, if its state may be lost, see what 'millrace app reset %s --to earliest' would do."
                .formatted(plan.application()));
    return lines;
  }

  /// Topics as they must be, without the partitions of those that are looked at here.
  static List<TopicSpec> but(Plan plan, List<TopicSpec> specs) {
    Set<String> looked = new TreeSet<>(Set.of(plan.changelogTopic()));
    plan.exchanges().forEach(exchange -> looked.add(exchange.topic()));
    return specs.stream()
        .map(spec ->
            looked.contains(spec.name())
                ? new TopicSpec(spec.name(), 0, spec.replication(), spec.settings())
                : spec)
        .toList();
  }

  /// Describes the inputs that have changed, by the committed positions.
  private static List<String> changed(Log log, Plan plan) {
    Map<String, Integer> before = new TreeMap<>();
    try {
      for (Split split : log.committedPositions(plan.storage()).keySet()) {
        before.merge(split.stream(), split.partition() + 1, Math::max);
      }
    } catch (LogException _) {
      before.clear(); // they only make the message clearer
    }
    List<String> lines = new ArrayList<>();
    inputs(plan)
        .forEach((topic, now) -> {
          int had = before.getOrDefault(topic, now);
          if (had != now) {
            lines.add(InputPartitions.counts(topic, had, now, plan.application()));
          }
        });
    return lines;
  }

  private static Map<String, Integer> inputs(Plan plan) {
    Map<String, Integer> inputs = new TreeMap<>();
    for (Plan.Stage stage : plan.stages()) {
      for (Plan.Input input : stage.inputs()) {
        if (input.exchange() == null) {
          inputs.put(input.stream(), input.partitions());
        }
      }
    }
    return inputs;
  }
}

package dev.millrace;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.InputConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Finds the inputs that are read for the first time and for which no start is configured, before
/// anything is changed. A task that has committed continues at its position, and its partition of
/// the changelog has records; so the tasks with an empty partition are the new ones.
final class StartPositions {
  private final String application;
  private final SortedSet<String> unsaid = new TreeSet<>();

  StartPositions(String application, TopologyGraph graph, InputConfig config) {
    this.application = application;
    if (config.start() != null) {
      return;
    }
    SortedSet<String> said = new TreeSet<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Input input) {
        String stream = input.source().stream();
        var _ = (input.start() == null ? unsaid : said).add(stream);
      }
    }
    unsaid.removeAll(said);
  }

  /// Returns the problems if the application has no changelog, so that all of it is new.
  List<String> problems() {
    return problems(unsaid);
  }

  /// Returns the problems if all of the application is new.
  List<String> problems(Plan plan) {
    SortedSet<String> found = new TreeSet<>();
    for (Plan.TaskId task : plan.tasks()) {
      found.addAll(unsaid(plan, task));
    }
    return problems(found);
  }

  /// Returns the problems of inputs that the application did not read before.
  List<String> problems(SortedSet<String> newInputs) {
    SortedSet<String> found = new TreeSet<>(newInputs);
    found.retainAll(unsaid);
    return problems((Collection<String>) found);
  }

  /// Returns the problems of the tasks that have not written yet.
  ///
  /// @param changelog of the application
  List<String> problems(Log log, Plan plan, TopicInfo changelog) {
    if (unsaid.isEmpty()) {
      return List.of();
    }
    List<Plan.TaskId> reading = new ArrayList<>();
    List<Split> changelogs = new ArrayList<>();
    for (Plan.TaskId task : plan.tasks()) {
      if (task.number() < changelog.partitions() && !unsaid(plan, task).isEmpty()) {
        reading.add(task);
        changelogs.add(changelogOf(plan, task));
      }
    }
    if (reading.isEmpty()) {
      return List.of();
    }
    var offsets = log.offsets(changelogs);
    SortedSet<String> found = new TreeSet<>();
    for (Plan.TaskId task : reading) {
      Log.@Nullable Offsets ofTask = offsets.get(changelogOf(plan, task));
      if (ofTask != null && ofTask.end() == 0) {
        found.addAll(unsaid(plan, task));
      }
    }
    return problems(found);
  }

  private static Split changelogOf(Plan plan, Plan.TaskId task) {
    return new Split(plan.changelogTopic(), task.number());
  }

  private SortedSet<String> unsaid(Plan plan, Plan.TaskId task) {
    SortedSet<String> streams = new TreeSet<>();
    for (Plan.Input input : plan.stage(task.stage()).inputs()) {
      if (input.exchange() == null
          && unsaid.contains(input.stream())
          && !isGiven(plan, input, task)) {
        streams.add(input.stream());
      }
    }
    return streams;
  }

  /// Returns whether a person has said where a task begins to read an input, if it reads any of it.
  private static boolean isGiven(Plan plan, Plan.Input input, Plan.TaskId task) {
    return input.broadcast()
        ? IntStream.range(0, input.partitions())
            .allMatch(each -> plan.starts().containsKey(new Split(input.stream(), each)))
        : task.partition() >= input.partitions()
            || plan.starts().containsKey(new Split(input.stream(), task.partition()));
  }

  private List<String> problems(Collection<String> streams) {
    if (streams.isEmpty()) {
      return List.of();
    }
    String named = streams.stream().map(each -> "'" + each + "'").collect(Collectors.joining(", "));
    return List.of(
        "Application '%s' reads %s for the first time, and no start is configured. Add .startAtEarliest() to the source%s, or set input.start (--start) to earliest, latest or a time."
            .formatted(application, named, streams.size() == 1 ? "" : "s"));
  }
}

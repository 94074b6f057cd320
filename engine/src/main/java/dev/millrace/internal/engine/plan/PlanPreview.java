package dev.millrace.internal.engine.plan;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.connector.TopicSettings;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The plan that an application would run by, made without a Kafka.
public final class PlanPreview {
  private PlanPreview() {}

  /// The topics, and streams of other sources, that an application reads.
  ///
  /// @throws dev.millrace.api.InvalidTopologyException if the topology cannot be built
  public static Set<String> reads(StreamApplication application) {
    Set<String> streams = new TreeSet<>();
    for (Node node : TopologyGraph.of(application).nodes()) {
      if (node instanceof Node.Input input) {
        streams.add(input.source().stream());
      }
    }
    return streams;
  }

  /// Plans an application. A topic that it reads has the partitions given here, or else those that
  /// the application asks for, or else one.
  ///
  /// @param partitions by topic
  /// @throws dev.millrace.api.InvalidTopologyException if the topology cannot be built
  public static Plan of(StreamApplication application, Map<String, Integer> partitions) {
    return of(application, application.name(), partitions);
  }

  /// Plans an application that may be stored under another name. A topic that it reads has the
  /// partitions given here, or else those that the application asks for, or else one.
  ///
  /// @param partitions by topic
  /// @throws dev.millrace.api.InvalidTopologyException if the topology cannot be built
  public static Plan of(
      StreamApplication application, String storage, Map<String, Integer> partitions) {
    TopologyGraph graph = TopologyGraph.of(application);
    return Planner.plan(storage, graph, counts(graph, partitions)).named(application.name());
  }

  /// Plans an application that may have state, for topics that exist.
  ///
  /// @param storage the name under which it is stored
  /// @param partitions how many partitions existing topics have; others have those that the
  ///   application declares, or one
  /// @param before the plan whose state there is; null if there is none
  /// @throws dev.millrace.api.InvalidTopologyException if the topology cannot be built
  public static Plan after(
      StreamApplication application,
      String storage,
      SortedMap<String, Integer> partitions,
      @Nullable PlanDescription before) {
    TopologyGraph graph =
        TopologyGraph.of(application)
            .withTopics(
                pattern -> partitions.keySet().stream().filter(pattern.choice()::has).toList());
    return Planner.plan(storage, graph, counts(graph, partitions), before)
        .named(application.name());
  }

  private static Map<String, Integer> counts(TopologyGraph graph, Map<String, Integer> partitions) {
    Map<String, Integer> all = new TreeMap<>();
    for (Node node : graph.nodes()) {
      if (node instanceof Node.Input input) {
        TopicSettings topic = input.source().topic();
        int declared = topic == null ? 0 : topic.partitions();
        all.merge(input.source().stream(), Math.max(1, declared), Math::max);
      }
    }
    all.replaceAll((topic, count) -> partitions.getOrDefault(topic, count));
    return all;
  }
}

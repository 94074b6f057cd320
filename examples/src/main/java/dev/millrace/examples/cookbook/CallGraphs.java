package dev.millrace.examples.cookbook;

import static dev.millrace.api.Windows.sessions;
import static dev.millrace.api.Windows.tumbling;
import static dev.millrace.json.Json.json;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Which services the view of a page called, and which service calls which how often.
public final class CallGraphs implements StreamApplication {
  /// A service has answered a call.
  ///
  /// @param request the view of the page that it belongs to
  /// @param id of the call
  /// @param caller the call within which it was made; empty for the page itself
  /// @param made how many calls were made within it
  public record ServiceCall(
      String request, String id, String caller, String service, int made, Instant at) {}

  /// A call, and those made within it.
  public record Tree(String service, int made, List<Tree> calls) {
    /// Whether nothing of it is missing.
    boolean isComplete() {
      return calls.size() == made && calls.stream().allMatch(Tree::isComplete);
    }

    /// `caller > called` for each call in it.
    List<String> edges() {
      List<String> edges = new ArrayList<>();
      for (Tree call : calls) {
        edges.add(service + " > " + call.service);
        edges.addAll(call.edges());
      }
      return edges;
    }
  }

  /// How often a service called another one in a minute.
  public record Edge(String callerAndCalled, Instant minute, long calls) {}

  @Override
  public void describe(Topology topology) {
    var trees =
        topology
            .from(
                Kafka.source("service-calls")
                    .value(json(ServiceCall.class))
                    .eventTime(ServiceCall::at, ofSeconds(5)))
            .groupBy("by-request", ServiceCall::request)
            .window(sessions(ofSeconds(30)).allowedLateness(ofMinutes(5)))
            .apply("trees", (_, calls) -> tree(calls))
            .results(r -> r.value());

    var known = trees.branch(Tree::isComplete);
    known.matching().to(Kafka.sink("trees").key(Serdes.string()).value(json(Tree.class)));
    known.rest().to(Kafka.sink("broken-trees").key(Serdes.string()).value(json(Tree.class)));

    known
        .matching()
        .flatMap(Tree::edges)
        .groupBy("by-edge", edge -> edge)
        .window(tumbling(ofMinutes(1)).allowedLateness(ofMinutes(5)))
        .count("calls-per-minute")
        .results(r -> new Edge(r.key(), r.window().start(), r.value()))
        .to(Kafka.sink("call-graph").key(Serdes.string()).value(json(Edge.class)));
  }

  /// Of all calls of a request: those that the page made, or of which it is not known who made
  /// them, are below a root that stands for the request.
  private static Tree tree(List<ServiceCall> calls) {
    List<String> ids = calls.stream().map(ServiceCall::id).toList();
    Map<String, List<ServiceCall>> byCaller =
        calls.stream()
            .sorted(Comparator.comparing(ServiceCall::id))
            .collect(
                Collectors.groupingBy(call -> ids.contains(call.caller()) ? call.caller() : ""));
    return new Tree("page", 1, below("", byCaller));
  }

  private static List<Tree> below(String caller, Map<String, List<ServiceCall>> byCaller) {
    return byCaller.getOrDefault(caller, List.of()).stream()
        .map(call -> new Tree(call.service(), call.made(), below(call.id(), byCaller)))
        .toList();
  }
}

package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.connector.LogTopics;
import dev.millrace.api.connector.Source;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What an application described: its nodes in the order in which it named them, so that what feeds
/// a node stands before it.
///
/// @param nodes the id of each is its place in the list
/// @param keyed ids of the nodes whose records are partitioned by their key
/// @param renames what was called otherwise in earlier versions of the application
public record TopologyGraph(List<Node> nodes, Set<Integer> keyed, Renames renames) {

  public TopologyGraph {
    nodes = List.copyOf(nodes);
    keyed = Collections.unmodifiableSet(new TreeSet<>(keyed));
  }

  /// Has an application describe its topology.
  ///
  /// @throws InvalidTopologyException if it cannot be built; the message names the operator and the
  ///   way out
  public static TopologyGraph of(StreamApplication application) {
    if (application instanceof MadeApplication made) {
      return made.graph();
    }
    TopologyBuilder builder = new TopologyBuilder();
    try {
      application.describe(builder);
    } catch (IllegalArgumentException e) {
      // Windows, serdes and the like refuse what is wrong with them, and know no operator.
      String message = Objects.requireNonNullElse(e.getMessage(), e.toString());
      throw new InvalidTopologyException(message + place(e), e);
    }
    return builder.complete();
  }

  /// The line of the application that was refused, as its author sees the message only; empty if it
  /// cannot be told.
  private static String place(IllegalArgumentException refused) {
    for (StackTraceElement frame : refused.getStackTrace()) {
      String name = frame.getClassName();
      if (name.equals(TopologyGraph.class.getName())) {
        return "";
      }
      if (!name.startsWith("dev.millrace.") && !name.startsWith("java.")) {
        return " (%s:%d)".formatted(frame.getFileName(), frame.getLineNumber());
      }
    }
    return "";
  }

  /// Whether the records that leave a node are partitioned by their key.
  public boolean keyed(Node node) {
    return keyed.contains(node.id());
  }

  /// Makes a node for a graph.
  @FunctionalInterface
  public interface Made {
    Node of(int id, Node input);
  }

  /// The same graph with one more node, whose records are partitioned by their key, between a node
  /// and one of its inputs. Nodes behind it get other ids.
  public TopologyGraph withInputOf(Node node, int input, Made made) {
    List<Node> all = new ArrayList<>();
    Set<Integer> allKeyed = new TreeSet<>();
    List<Node> moved = new ArrayList<>();
    for (Node each : nodes) {
      List<Node> inputs = new ArrayList<>();
      each.inputs().forEach(of -> inputs.add(moved.get(of.id())));
      if (each.id() == node.id()) {
        Node more = made.of(all.size(), inputs.get(input));
        all.add(more);
        allKeyed.add(more.id());
        inputs.set(input, more);
      }
      Node copy = NodeCopy.of(each, all.size(), inputs);
      if (keyed(each)) {
        allKeyed.add(copy.id());
      }
      all.add(copy);
      moved.add(copy);
    }
    return new TopologyGraph(all, allKeyed, renames);
  }

  /// What is read by patterns, in the order of the nodes.
  public List<LogTopics<? extends Source<?>>> patterns() {
    List<LogTopics<? extends Source<?>>> patterns = new ArrayList<>();
    for (Node node : nodes) {
      LogTopics<? extends Source<?>> topics = read(node);
      if (topics != null && !patterns.contains(topics)) {
        patterns.add(topics);
      }
    }
    return patterns;
  }

  private static @Nullable LogTopics<? extends Source<?>> read(Node node) {
    return node instanceof Node.Input input ? input.source().topics() : null;
  }

  /// The same graph with the topics that there are in the place of the patterns by which they are
  /// read. Nodes behind get other ids.
  ///
  /// @param found gives one or more names for each of [#patterns]
  public TopologyGraph withTopics(Function<LogTopics<?>, Collection<String>> found) {
    List<Node> all = new ArrayList<>();
    Set<Integer> allKeyed = new TreeSet<>();
    List<Node> moved = new ArrayList<>();
    for (Node each : nodes) {
      List<Node> made = new ArrayList<>();
      LogTopics<? extends Source<?>> topics = read(each);
      if (topics != null) {
        for (String topic : found.apply(topics)) {
          made.add(
              new Node.Input(
                  all.size() + made.size(),
                  Erased.source(topics.topic(topic)),
                  keyed(each),
                  false,
                  false));
        }
        if (made.size() > 1) {
          made.add(new Node.Merge(all.size() + made.size(), List.copyOf(made), null));
        }
      } else {
        List<Node> inputs = new ArrayList<>();
        each.inputs().forEach(of -> inputs.add(moved.get(of.id())));
        made.add(NodeCopy.of(each, all.size(), inputs));
      }
      if (keyed(each)) {
        made.forEach(node -> allKeyed.add(node.id()));
      }
      all.addAll(made);
      moved.add(made.getLast());
    }
    return new TopologyGraph(all, allKeyed, renames);
  }

  /// The same graph with rows aggregated before they are sent, where that is possible: where all of
  /// an exchange goes to one operator that has a [Combiner], and nowhere else. Nodes behind get
  /// other ids.
  public TopologyGraph combined() {
    return combined(new TreeMap<>());
  }

  /// Returns the same as [#combined()], except for exchanges that carry other values already: what
  /// is under way there could not be read.
  ///
  /// @param carried ids of the serdes of values, by the names of exchanges that there were
  public TopologyGraph combined(Map<String, String> carried) {
    return Combining.of(this, carried);
  }

  /// The nodes that a node feeds, in order.
  public List<Node> consumers(Node node) {
    return nodes.stream().filter(other -> feeds(node, other)).toList();
  }

  private static boolean feeds(Node node, Node other) {
    return other.inputs().stream().anyMatch(input -> input.id() == node.id());
  }
}

package dev.millrace.internal.beam.translate;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.operators.RootSource;
import dev.millrace.internal.beam.state.BytesSerde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.Renames;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The topology that a pipeline becomes, as it grows. The values of its rows are Beam's elements
/// with their windows.
public final class Graph {
  private static final int LONGEST_NAME = 60;

  private final int parallelism;
  private final List<Node> nodes = new ArrayList<>();
  private final Set<Integer> keyed = new TreeSet<>();

  /// By node, the ids of the sources and exchanges that it is behind, without others between.
  private final List<Set<Integer>> heads = new ArrayList<>();

  private final Map<String, Integer> names = new LinkedHashMap<>();
  private final Map<String, Integer> streams = new LinkedHashMap<>();

  /// @param parallelism how many tasks each part has
  public Graph(int parallelism) {
    this.parallelism = parallelism;
  }

  /// Returns how many tasks each part has.
  public int parallelism() {
    return parallelism;
  }

  /// Returns the name of a node for a transform: the same whenever the pipeline is built, as long
  /// as transforms keep their names.
  public String name(String fullName) {
    String lower = fullName.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String trimmed = lower.replaceAll("^-+|-+$", "");
    String tail =
        trimmed.length() > LONGEST_NAME
            ? trimmed.substring(trimmed.length() - LONGEST_NAME).replaceAll("^-+", "")
            : trimmed;
    String base = tail.isEmpty() ? "transform" : tail;
    int count = names.getOrDefault(base, 0) + 1;
    names.put(base, count);
    return count == 1 ? base : base + "-" + count;
  }

  /// Adds a root, which has one record in the first task, or none in any.
  public Node root(String name, int records) {
    RootSource source = new RootSource(name, parallelism, records);
    streams.put(name, parallelism);
    return add(new Node.Input(nodes.size(), Erased.source(source), false, false, false));
  }

  /// Adds a node that makes another row of each.
  public Node map(Node input, Mapper<Object, Object> mapper) {
    return add(new Node.Map(nodes.size(), input, mapper, false));
  }

  /// Adds a node that lets some rows pass.
  public Node filter(Node input, Predicate<Object> predicate) {
    return add(new Node.Filter(nodes.size(), input, predicate));
  }

  /// Adds a node behind which the rows of several are.
  public Node merge(List<Node> inputs) {
    return inputs.size() == 1
        ? inputs.getFirst()
        : add(new Node.Merge(nodes.size(), List.copyOf(inputs), null));
  }

  /// Adds an operator. Its rows have keys if those of one of its inputs have.
  public Node operator(String name, String kind, List<Node> inputs, Declaration declared) {
    boolean isKeyed = inputs.stream().anyMatch(input -> keyed.contains(input.id()));
    Node node =
        new Node.Stateful(
            nodes.size(),
            name,
            kind,
            inputs,
            isKeyed ? Erased.serde(BytesSerde.INSTANCE) : null,
            declared,
            List.of());
    if (isKeyed) {
      keyed.add(node.id());
    }
    return add(node);
  }

  /// Adds an exchange: rows go to the task that has a key.
  ///
  /// @param key gives the bytes of the key from the value; null if rows have theirs
  public Node exchange(
      String name, Node input, @Nullable Mapper<Object, Bytes> key, Serde<Object> values) {
    Serde<Object> keys = Erased.serde(BytesSerde.INSTANCE);
    Mapper<Object, Object> erased = key == null ? null : key::map;
    Node node =
        new Node.Exchange(
            nodes.size(), name, input, erased, null, keys, values, "", Parameters.of("beam"));
    keyed.add(node.id());
    return add(node);
  }

  private Node add(Node node) {
    nodes.add(node);
    Set<Integer> of = new TreeSet<>();
    if (node instanceof Node.Input || node instanceof Node.Exchange) {
      of.add(node.id());
    } else {
      node.inputs().forEach(input -> of.addAll(heads.get(input.id())));
    }
    heads.add(of);
    return node;
  }

  /// Whether all nodes are in the stages of the same inputs.
  public boolean areOfOneStage(List<Node> all) {
    return all.stream().map(node -> heads.get(node.id())).distinct().count() == 1;
  }

  /// Returns the topology.
  public TopologyGraph complete() {
    return new TopologyGraph(nodes, keyed, Renames.NONE);
  }

  /// Returns how many partitions each stream has that the topology reads.
  public Map<String, Integer> streams() {
    return streams;
  }
}

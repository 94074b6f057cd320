package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.topology.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A series of filters, maps and peeks, of which each feeds only the next. They are one [RunStep].
///
/// @param decodes reads the values that come in; null if they are objects already
record Run(List<Node> nodes, @Nullable Serde<Object> decodes) {

  /// How long a run may be: the JIT leaves a method alone that is too large.
  static final int MOST = 100;

  /// What comes out.
  enum Gives {
    /// The rows that came in.
    ALL,
    /// Some of them.
    SELECTED,
    /// Rows with new values.
    MADE
  }

  Gives gives() {
    return gives(nodes);
  }

  private static Gives gives(List<Node> nodes) {
    Gives gives = Gives.ALL;
    for (Node node : nodes) {
      if (node instanceof Node.Map) {
        return Gives.MADE;
      }
      gives = node instanceof Node.Filter ? Gives.SELECTED : gives;
    }
    return gives;
  }

  /// Whether keys pass through.
  boolean keepsKeys() {
    return nodes.stream().allMatch(node -> !(node instanceof Node.Map map) || map.keepsKey());
  }

  /// The place of the last filter, behind which no row is lost; -1 if there is none.
  int lastFilter() {
    int last = nodes.size() - 1;
    while (last >= 0 && !(nodes.get(last) instanceof Node.Filter)) {
      last--;
    }
    return last;
  }

  Node first() {
    return nodes.getFirst();
  }

  /// The runs of a stage, in the order of their first nodes.
  ///
  /// @param nodes of the stage, each behind what feeds it
  /// @param bytes the serde of each node, by its number, whose rows come in as bytes
  static List<Run> of(List<Node> nodes, Map<Integer, Serde<Object>> bytes) {
    Map<Integer, Integer> consumers = new HashMap<>();
    nodes.forEach(
        node -> node.inputs().forEach(input -> consumers.merge(input.id(), 1, Integer::sum)));
    Map<Integer, List<Node>> byLast = new HashMap<>();
    List<List<Node>> found = new ArrayList<>();
    for (Node node : nodes) {
      if (!(node instanceof Node.Filter || node instanceof Node.Map || node instanceof Node.Peek)) {
        continue;
      }
      int input = node.inputs().getFirst().id();
      List<Node> run = consumers.getOrDefault(input, 0) == 1 ? byLast.remove(input) : null;
      if (run == null || run.size() == MOST) {
        run = new ArrayList<>();
        found.add(run);
      }
      run.add(node);
      byLast.put(node.id(), run);
    }
    List<Run> runs = new ArrayList<>();
    for (List<Node> run : found) {
      int input = run.getFirst().inputs().getFirst().id();
      // Others that read the same bytes would decode them again, as would those behind a peek.
      boolean alone = consumers.getOrDefault(input, 0) == 1 && gives(run) != Gives.ALL;
      runs.add(new Run(List.copyOf(run), alone ? bytes.get(input) : null));
    }
    return runs;
  }
}

package dev.millrace.internal.engine.plan;

import dev.millrace.internal.engine.topology.Node;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Which streams of a stage wait for which others: a record that is joined with what a table has
/// when it comes waits until the table's own streams were read as far as they went when the task
/// began.
///
/// Streams that would wait for each other do not wait, nor does one that the table itself is made
/// of: there the order in which records come is all there is.
public final class TableWaits {
  private final Plan.Stage stage;

  /// By stream, those that are read before it.
  private final Map<String, Set<String>> waits = new TreeMap<>();

  /// By a stream that is waited for, the table that is made of it.
  private final Map<String, String> tables = new TreeMap<>();

  private TableWaits(Plan.Stage stage) {
    this.stage = stage;
  }

  /// What waits in a stage.
  public static TableWaits of(Plan.Stage stage) {
    TableWaits wanted = new TableWaits(stage);
    for (Node node : stage.nodes()) {
      if (node instanceof Node.Stateful join && join.declared().waitsForTable()) {
        wanted.add(join.inputs().get(0), join.inputs().get(1));
      }
    }
    TableWaits possible = new TableWaits(stage);
    wanted.waits.forEach((stream, before) -> {
      for (String each : before) {
        if (!wanted.waits(each, stream, new TreeSet<>())) {
          possible.put(stream, each, wanted.tables.getOrDefault(each, each));
        }
      }
    });
    return possible;
  }

  private void add(Node stream, Node table) {
    Set<String> made = new LinkedHashSet<>();
    collect(table, made);
    Set<String> waiting = new LinkedHashSet<>();
    collect(stream, waiting);
    for (String each : waiting) {
      made.forEach(before -> put(each, before, name(table, before)));
    }
  }

  private void put(String stream, String before, String table) {
    waits.computeIfAbsent(stream, _ -> new TreeSet<>()).add(before);
    tables.putIfAbsent(before, table);
  }

  /// The streams of the stage that a node's records come from.
  private void collect(Node node, Set<String> streams) {
    for (Plan.Input input : stage.inputs()) {
      if (input.heads().stream().anyMatch(head -> head.id() == node.id())) {
        streams.add(input.stream());
        return;
      }
    }
    node.inputs().forEach(input -> collect(input, streams));
  }

  /// What the application calls a table, or else the stream it comes from.
  private static String name(Node table, String stream) {
    Node at = table;
    while (!(at instanceof Node.Stateful) && !at.inputs().isEmpty()) {
      at = at.inputs().getFirst();
    }
    return at instanceof Node.Stateful stateful ? stateful.name() : stream;
  }

  /// Whether a stream waits for another in the end, or is it.
  private boolean waits(String stream, String goal, Set<String> seen) {
    if (stream.equals(goal)) {
      return true;
    }
    for (String before : before(stream)) {
      if (seen.add(before) && waits(before, goal, seen)) {
        return true;
      }
    }
    return false;
  }

  /// The streams that are read before one, as far as they go.
  public Set<String> before(String stream) {
    return waits.getOrDefault(stream, Collections.emptySet());
  }

  /// The tables that are read before a stream.
  List<String> tablesBefore(String stream) {
    return before(stream).stream().map(each -> tables.getOrDefault(each, each)).distinct().toList();
  }

  /// The table that is made of a stream and waited for; null if nothing waits for the stream.
  public @Nullable String table(String stream) {
    return tables.get(stream);
  }
}

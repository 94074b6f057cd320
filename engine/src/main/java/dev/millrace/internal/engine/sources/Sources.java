package dev.millrace.internal.engine.sources;

import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.spi.ExternalSource;
import dev.millrace.spi.Log;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.SplitSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a job reads from besides the log: a connection to each other system that its topology
/// names. Thread-safe.
public final class Sources implements AutoCloseable {
  private final Map<String, ExternalSource.Connection> connections = new LinkedHashMap<>();

  private Sources() {}

  /// Connects to all of them.
  ///
  /// @throws dev.millrace.spi.LogException if one of them cannot be reached
  public static Sources connect(TopologyGraph graph) {
    Sources sources = new Sources();
    boolean complete = false;
    try {
      for (Node node : graph.nodes()) {
        if (node instanceof Node.Input input && input.source().isExternal()) {
          sources.connections.computeIfAbsent(
              input.source().stream(), _ -> ExternalSource.of(input.source()).connect());
        }
      }
      complete = true;
    } finally {
      if (!complete) {
        sources.close();
      }
    }
    return sources;
  }

  /// How many splits the streams outside the log have.
  public Map<String, Integer> externalSplits() {
    Map<String, Integer> splits = new TreeMap<>();
    connections.forEach((stream, connection) -> splits.put(stream, connection.splits()));
    return splits;
  }

  /// Where a stream is, if not in the log.
  public SplitSource of(String stream, Log log) {
    ExternalSource.Connection connection = connections.get(stream);
    return connection == null ? log : connection;
  }

  /// Whether the positions of a stream can be shown by the log's own tools.
  public boolean onLog(String stream) {
    return !connections.containsKey(stream);
  }

  /// A reader of these streams and those of the log.
  public SplitReader reader(Log log, String clientId) {
    SplitReader ofLog = log.reader(clientId);
    if (connections.isEmpty()) {
      return ofLog;
    }
    Map<String, SplitReader> external = new LinkedHashMap<>();
    connections.forEach((stream, each) -> external.put(stream, each.reader(clientId)));
    return new JoinedReader(ofLog, external);
  }

  @Override
  public void close() {
    List<ExternalSource.Connection> open = new ArrayList<>(connections.values());
    connections.clear();
    open.reversed().forEach(ExternalSource.Connection::close);
  }
}

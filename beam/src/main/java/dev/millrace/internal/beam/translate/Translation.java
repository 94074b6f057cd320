package dev.millrace.internal.beam.translate;

import dev.millrace.internal.engine.topology.TopologyGraph;
import java.util.Map;

/// A pipeline as a topology.
///
/// @param streams how many partitions each stream has that it reads
public record Translation(TopologyGraph graph, Map<String, Integer> streams) {}

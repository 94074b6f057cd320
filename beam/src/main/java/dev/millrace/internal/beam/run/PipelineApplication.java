package dev.millrace.internal.beam.run;

import dev.millrace.internal.engine.topology.MadeApplication;
import dev.millrace.internal.engine.topology.TopologyGraph;

/// A pipeline as an application.
///
/// @param graph what it was translated to
public record PipelineApplication(String name, TopologyGraph graph) implements MadeApplication {}

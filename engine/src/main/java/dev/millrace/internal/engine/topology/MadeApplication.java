package dev.millrace.internal.engine.topology;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;

/// An application whose topology is made by other means than the streams of the API, such as a
/// pipeline that was written for something else.
public interface MadeApplication extends StreamApplication {

  /// Returns the topology, the same each time.
  TopologyGraph graph();

  @Override
  default void describe(Topology topology) {
    throw new IllegalStateException("The topology of '%s' is made already.".formatted(name()));
  }
}

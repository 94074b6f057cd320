package dev.millrace.api;

import java.util.Locale;

/// An application: a topology with a name.
///
/// [#describe] is called whenever the topology is needed, in every process that runs a part of it,
/// and must build the same one each time.
public interface StreamApplication {

  /// The name under which consumed positions, internal topics and state are kept. Lower-case
  /// letters, digits and `-`; by default the class's simple name, `TrendingTags` giving
  /// `trending-tags`.
  default String name() {
    return getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
        .toLowerCase(Locale.ROOT);
  }

  /// Builds the topology.
  void describe(Topology topology);
}

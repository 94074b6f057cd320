package dev.millrace.benchmarks.beam;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/// What is to be run.
///
/// @param queries by name
/// @param runners each in a process of its own for each query
/// @param events of each run
/// @param warm runs before those that are measured; at least one, which adds up the answers
/// @param runs of each query and runner, of which the median counts
/// @param heapMb of each process
/// @param home of the working copy, where the runners are
public record BeamSetup(
    List<String> queries,
    List<BeamRunner> runners,
    long events,
    int warm,
    int runs,
    int heapMb,
    Path home) {
  private static final int QUERIES = 15;

  public BeamSetup {
    queries = List.copyOf(queries);
    runners = List.copyOf(runners);
    if (events < 1 || warm < 1) {
      throw new IllegalArgumentException(
          "There must be at least one event and one run to get warm; found %,d and %,d."
              .formatted(events, warm));
    }
    for (String query : queries) {
      if (!all().contains(query)) {
        throw new IllegalArgumentException(
            "There is no query '%s'. The queries are q0 to q14.".formatted(query));
      }
    }
  }

  /// Returns the names of all queries.
  public static List<String> all() {
    return IntStream.range(0, QUERIES).mapToObj(number -> "q" + number).toList();
  }
}

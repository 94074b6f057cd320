package dev.millrace.benchmarks.change;

import java.util.List;

/// What an engine did in one run.
///
/// @param stateBytes of its local state at the end
/// @param measured in the order in which it was done
/// @param wrong events of each of these whose results are wrong, missing or more than one
/// @param wrongOfRecent rows of the second operator that are wrong, missing or too many
record Outcome(
    String title,
    String settings,
    long stateBytes,
    List<Measured> measured,
    List<Long> wrong,
    long wrongOfRecent) {
  Outcome {
    measured = List.copyOf(measured);
    wrong = List.copyOf(wrong);
  }
}

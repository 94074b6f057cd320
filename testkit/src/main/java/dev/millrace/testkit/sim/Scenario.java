package dev.millrace.testkit.sim;

import java.util.List;

/// A job, its input, and what must come of it, all drawn from a seed.
public interface Scenario {

  /// By which it is chosen.
  String name();

  /// The crashes that belong to a seed.
  CrashSchedule schedule(long seed);

  /// Runs it to its end.
  ///
  /// @throws AssertionError if what came of it is not what must come
  Seen run(long seed, CrashSchedule schedule);

  /// What a run was like.
  ///
  /// @param traceHash of everything that happened in the log; the same for the same seed and
  ///   schedule, in every process
  record Seen(long steps, long traceHash, CrashPoints crashPoints) {}

  /// All there are.
  static List<Scenario> all() {
    return List.of(new ExactSums(), new ExactDeliveries());
  }
}

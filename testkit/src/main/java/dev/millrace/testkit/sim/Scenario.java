package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;
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

  /// Whether the log has faults under a seed, as it has under half of them.
  static boolean hasFaults(long seed) {
    return new Seed(seed).fork("faults or not").coin();
  }

  /// Compares what was written to some place with what must stand there.
  ///
  /// @throws AssertionError if they differ
  static void requireEqual(String where, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError("In " + where + " expected " + expected + " but found " + found);
    }
  }

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

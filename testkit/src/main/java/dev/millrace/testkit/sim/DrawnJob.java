package dev.millrace.testkit.sim;

import dev.millrace.api.StreamApplication;
import dev.millrace.testkit.log.ModelLog;
import java.util.List;
import java.util.Map;

/// A job drawn from a seed, its input, and what must come of it. It does not know whether it runs
/// on models or on the real thing.
interface DrawnJob {

  StreamApplication application();

  SimulationSettings settings();

  /// The topics it reads and writes, and how many partitions they have.
  Map<String, Integer> topics();

  /// All of its input, in the order in which it is written.
  List<InputRecord> input();

  /// What others have open in its inputs when it starts.
  default OpenTransaction foreign() {
    return new OpenTransaction("nobody", List.of(), true, 0);
  }

  /// Lets it write to its inputs while it runs, if they have no end.
  default void begin(ModelLog log) {}

  /// Looks at everything that was written, and at the state.
  ///
  /// @throws AssertionError if it is not what a plain computation says
  void requireExact(Written written);

  /// Looks at how many bad records and results the processes that live at the end have counted.
  ///
  /// @throws AssertionError if there were not so many
  default void requireCounted(long passedOver) {}
}

package dev.millrace.testkit.job;

import dev.millrace.api.StreamApplication;
import dev.millrace.spi.Log;
import dev.millrace.testkit.sim.InputRecord;
import dev.millrace.testkit.sim.Run;
import dev.millrace.testkit.sim.SimulationSettings;
import java.time.Duration;
import java.util.List;

/// What the job of a test runs on: see [On].
interface Ground extends AutoCloseable {

  /// Returns the job on it.
  Run run();

  /// Returns the log as the test sees it.
  Log log();

  /// Writes records; they are there when it returns.
  void write(List<InputRecord> records);

  /// Advances the clock without work, where time is virtual.
  void pass(Duration time);

  /// Returns whether a job that has taken so many steps in that time should be done by now.
  boolean overdue(long steps, Duration time);

  /// Ends all that runs and removes all that is left.
  @Override
  void close();

  /// Returns a ground for a job that has not begun.
  static Ground of(On on, StreamApplication application, Shape shape, List<String> streams) {
    SimulationSettings settings = shape.settings(streams);
    return switch (on) {
      case VIRTUAL_TIME -> new VirtualGround(application, shape, settings);
      case KAFKA -> KafkaGround.start(application, shape, settings);
    };
  }
}

package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;

/// A simulated run of [Notes] with one task.
final class NotesRun {
  private static final String NAME = "notes";
  private static final Split IN = new Split("in", 0);
  private static final int STEPS = 100_000;

  final Simulation simulation;

  NotesRun(boolean bounded, SimulationSettings settings) {
    simulation = new Simulation(1, new Notes("", bounded), settings);
    simulation.log().createTopic("in", 1);
    simulation.log().createTopic("out", 1);
  }

  /// Appends a record to the input.
  ///
  /// @param command with an event time before it, or 1 if it has none
  NotesRun add(String key, String command) {
    String timed = command.matches("-?\\d.*") ? command : "1 " + command;
    simulation
        .log()
        .append(
            IN,
            0,
            key.getBytes(StandardCharsets.UTF_8),
            timed.getBytes(StandardCharsets.UTF_8),
            new byte[0]);
    return this;
  }

  /// Runs until all of the input is processed, and committed.
  NotesRun process() {
    simulation.startAll();
    long end = Objects.requireNonNull(simulation.log().offsets(List.of(IN)).get(IN)).end();
    long most = simulation.steps() + STEPS;
    while (simulation.log().committedPositions(NAME).getOrDefault(IN, 0L) < end) {
      simulation.step();
      assertTrue(simulation.steps() < most, simulation::state);
    }
    return this;
  }

  void complete() {
    simulation.startAll();
    simulation.runToCompletion(STEPS);
  }

  /// Runs until it ends with a failure.
  Failure fail(Failure.Kind kind) {
    simulation.startAll();
    int before = simulation.failures().size();
    long most = simulation.steps() + STEPS;
    while (simulation.failures().size() == before) {
      simulation.step();
      assertTrue(simulation.steps() < most, "It goes on.");
    }
    Failure failure = simulation.failures().getLast();
    assertEquals(kind, failure.kind(), failure::message);
    return failure;
  }

  long sum(ToLongFunction<TaskMetrics> metric) {
    Engine engine = Objects.requireNonNull(simulation.engine(0));
    return engine.taskMetrics().values().stream().mapToLong(metric).sum();
  }

  /// What was emitted.
  List<String> out() {
    return simulation.log().records("out").stream().map(ModelRecord::valueText).toList();
  }
}

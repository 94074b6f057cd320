package dev.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.sim.Simulation;
import dev.millrace.testkit.sim.SimulationSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A value that would be two lines is bad input of the record it was made of, not a failure of the
/// sink behind the commit, where nothing helps any more.
class LineEndsTest {
  private static final int MOST_STEPS = 20_000;

  @TempDir private Path directory;

  /// A line of the output for each line of the input, with a line's end for each `|`.
  private record Split(Path in, Path out) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(LineFiles.source("texts", in).value(Serdes.string()).asBounded())
          .map(text -> text.replace('|', '\n'))
          .as(Serdes.string())
          .to(LineFiles.sink("lines", out).value(Serdes.string()));
    }

    @Override
    public String name() {
      return "split";
    }
  }

  @BeforeEach
  void write() throws IOException {
    Path in = Files.createDirectories(directory.resolve("in"));
    Files.write(in.resolve("texts"), List.of("one", "two|parts", "three"));
  }

  private Simulation simulation(OnError policy) {
    Split application = new Split(directory.resolve("in"), directory.resolve("out"));
    return new Simulation(
        1,
        application,
        SimulationSettings.of()
            .withEngine(
                SimulationSettings.engineSettings(Duration.ofMillis(20), Duration.ofMillis(200))
                    .withErrors(errors -> errors.withOnError(policy))));
  }

  @Test
  void theRecordIsPassedOverWherePolicySaysSo() throws IOException {
    Simulation simulation = simulation(OnError.SKIP);
    simulation.startAll();
    while (!simulation.completed() && simulation.steps() < MOST_STEPS) {
      simulation.step();
    }
    assertTrue(simulation.completed(), simulation::state);
    assertEquals(
        List.of("one", "three"),
        Files.readAllLines(directory.resolve("out").resolve("lines-0-0.jsonl")));
  }

  @Test
  void theFailureNamesTheRecord() {
    Simulation simulation = simulation(OnError.FAIL);
    simulation.startAll();
    while (simulation.failures().isEmpty() && simulation.steps() < MOST_STEPS) {
      simulation.step();
    }
    Failure failure = simulation.failures().getFirst();
    assertEquals(Failure.Kind.BAD_INPUT, failure.kind());
    assertTrue(failure.message().contains("--skip texts:0:4"), failure::message);
  }
}

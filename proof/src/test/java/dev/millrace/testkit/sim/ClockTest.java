package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A host whose time of day is wrong: intervals and event time do not ask for it, and Kafka must
/// not refuse what it writes. The simulation found this by `sums`, seed 10012, when it began to set
/// clocks.
class ClockTest {
  @ParameterizedTest
  @ValueSource(longs = {-240, -2, 2, 240})
  void aJobRunsOnAHostWhoseClockIsWrong(long hoursAhead) {
    SumsRun run = SumsRun.prepared(1, SimulationSettings.of("events"));
    Simulation simulation = run.simulation();
    simulation.cluster().container(0).clock(Duration.ofHours(hoursAhead));
    simulation.startAll();
    while (!simulation.completed() && simulation.failures().isEmpty()) {
      simulation.step();
    }
    assertEquals(List.of(), simulation.failures());
    simulation.log().advance(Duration.ofSeconds(5));
    run.requireExact();
  }
}

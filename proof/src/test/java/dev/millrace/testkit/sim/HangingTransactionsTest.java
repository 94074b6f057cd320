package dev.millrace.testkit.sim;

import dev.millrace.spi.Split;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A transaction that no coordinator knows holds back a changelog for ever, unless it is aborted.
class HangingTransactionsTest {

  @ParameterizedTest
  @ValueSource(strings = {"sums.1x1.0.0", "sums.1x1.7.0", "sums.3x2.1.1", ""})
  void oneOfTheApplicationIsAbortedAndTheJobGoesOn(String transactionalId) {
    SumsRun job = SumsRun.prepared(1, SimulationSettings.of("events"));
    Simulation simulation = job.simulation();
    for (int partition = 0; partition < 3; partition++) {
      simulation.log().hang(new Split("sums-changelog", partition), transactionalId, "k", "v");
    }
    simulation.startAll();
    simulation.runToCompletion(200_000);
    simulation.log().advance(Duration.ofSeconds(5));
    job.requireExact();
  }
}

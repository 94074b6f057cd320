package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.commit.CommitGroup;
import dev.millrace.spi.Split;
import dev.millrace.testkit.log.ModelLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
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

  @Test
  void oneOfAStrangerIsNamedOnceAndWaitedFor() {
    SumsRun job = SumsRun.prepared(1, SimulationSettings.of("events"));
    Simulation simulation = job.simulation();
    ModelLog log = simulation.log();
    Split split = new Split("sums-changelog", 1);
    long offset = log.hang(split, "a-stranger", "k", "v");
    List<String> told = new ArrayList<>();
    try (Heard heard = new Heard(CommitGroup.class)) {
      simulation.startAll();
      long end = log.clock().millis() + Duration.ofMinutes(1).toMillis();
      while (log.clock().millis() < end) {
        simulation.step();
      }
      heard.stream().filter(each -> each.contains("a-stranger")).forEach(told::add);
    }
    assertEquals(List.of(), simulation.failures());
    assertEquals(1, told.size(), () -> told.stream().distinct().toList().toString());
    assertTrue(
        told.getFirst().contains("'a-stranger' is open in sums-changelog-1 from offset " + offset),
        told::toString);
    log.openTransactions(split).forEach(open -> log.abortHanging(split, open));
    simulation.runToCompletion(200_000);
    log.advance(Duration.ofSeconds(5)); // the markers of the last commit
    job.requireExact();
  }
}

package dev.millrace.benchmarks.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.scenarios.Assignment.Measured;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AssignmentTest {
  @TempDir private Path home;

  @Test
  void anAssignmentIsReadAsItWasWritten() {
    Assignment assignment =
        new Assignment(
            "localhost:1",
            Scenario.EXCHANGE,
            "direct",
            "in",
            "out",
            Path.of("state"),
            Path.of("saved"),
            2,
            1L << 28,
            true,
            new Measured(20, 10, Long.MAX_VALUE, 4_711));
    assertEquals(assignment, Assignment.of(assignment.arguments().toArray(String[]::new)));
  }

  @Test
  void engineAndScenarioAreFoundByTheirNames() {
    assertEquals(Contender.KSTREAMS_AT_LEAST_ONCE, Contender.of("kstreams-at-least-once"));
    assertEquals(Scenario.COUNT_DISK_CHANGELOG, Scenario.of("count-disk-changelog"));
    IllegalArgumentException unknown =
        assertThrows(IllegalArgumentException.class, () -> Contender.of("storm"));
    assertTrue(String.valueOf(unknown.getMessage()).contains("jet, samza"), unknown::getMessage);
    assertThrows(IllegalArgumentException.class, () -> Scenario.of("sort"));
  }

  @Test
  void anEngineThatIsNotBuiltSaysHowToBuildIt() {
    IllegalStateException missing =
        assertThrows(IllegalStateException.class, () -> Contender.JET.program(home, 512));
    assertTrue(
        String.valueOf(missing.getMessage()).contains("mvn package -Ppeers"), missing::getMessage);
  }
}

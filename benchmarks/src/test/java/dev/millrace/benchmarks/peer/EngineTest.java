package dev.millrace.benchmarks.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineTest {
  @TempDir private Path home;

  @Test
  void anEngineIsFoundByItsName() {
    assertEquals(Engine.MILLRACE_SNAPSHOTS, Engine.of("millrace-snapshots"));
    IllegalArgumentException unknown =
        assertThrows(IllegalArgumentException.class, () -> Engine.of("samza"));
    assertTrue(unknown.getMessage().contains("kstreams, flink"), unknown.getMessage());
  }

  @Test
  void anEngineThatIsNotBuiltSaysHowToBuildIt() {
    IllegalStateException missing =
        assertThrows(IllegalStateException.class, () -> Engine.FLINK.program(home));
    assertTrue(missing.getMessage().contains("mvn package"), missing.getMessage());
  }
}

package dev.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.Planner;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A name stands for one source.
class SourceNamesTest {
  private static final LineFileSource<String> LINES =
      LineFiles.source("lines", Path.of("one")).value(Serdes.string());

  private static Plan plan(StreamApplication application) {
    return Planner.plan("names", TopologyGraph.of(application), Map.of("lines", 1));
  }

  private static void assertRefused(StreamApplication application) {
    String said =
        assertThrows(InvalidTopologyException.class, () -> plan(application)).getMessage();
    assertTrue(said.contains("'lines'"), said);
  }

  @Test
  void twoDirectoriesOfOneNameAreRefused() {
    assertRefused(topology -> {
      topology.from(LINES).to(Kafka.sink("a").value(Serdes.string()));
      topology
          .from(LineFiles.source("lines", Path.of("two")).value(Serdes.string()))
          .to(Kafka.sink("b").value(Serdes.string()));
    });
  }

  @Test
  void filesAndATopicOfOneNameAreRefused() {
    assertRefused(topology -> {
      topology
          .from(Kafka.source("lines").value(Serdes.string()))
          .to(Kafka.sink("a").value(Serdes.string()));
      topology.from(LINES).to(Kafka.sink("b").value(Serdes.string()));
    });
  }

  @Test
  void oneSourceMayBeReadTwice() {
    Plan plan =
        plan(topology -> {
          topology.from(LINES).to(Kafka.sink("a").value(Serdes.string()));
          topology.from(LINES).to(Kafka.sink("b").value(Serdes.string()));
        });
    assertEquals(1, plan.stages().size());
  }
}

package dev.millrace.benchmarks.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figures;
import dev.millrace.benchmarks.scenarios.Row.Cost;
import dev.millrace.benchmarks.scenarios.Row.Latency;
import dev.millrace.benchmarks.scenarios.Row.Run;
import dev.millrace.benchmarks.scenarios.ScenarioBenchmark.Latencies;
import dev.millrace.benchmarks.scenarios.ScenarioBenchmark.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {
  private static final Workload WORKLOAD =
      new Workload(10_000, Distribution.UNIFORM, 1_000, 100, "none");

  @TempDir private Path directory;

  private static Figure figure() {
    Setup setup =
        new Setup(
            List.of(Scenario.PASS, Scenario.COUNT_DISK),
            List.of(Contender.MILLRACE, Contender.JET),
            List.of(WORKLOAD),
            200,
            3,
            20,
            1_024,
            1 << 20,
            true,
            new Latencies(true, List.of(), 1),
            null,
            Path.of(""));
    Row measured =
        Row.of(
                Contender.MILLRACE,
                Scenario.PASS,
                WORKLOAD,
                List.of(run(3_000, 2), run(1_000, 1), run(2_000, 4)))
            .withLatencies(List.of(new Latency(1_000, true, 1.5, 2.5, 3.5, 4.5)))
            .withCosts(List.of(new Cost("Wheel.turn", 0.25, 0.5)));
    return Report.figure(
        setup,
        List.of(
            measured,
            Row.cannot(Contender.JET, Scenario.COUNT_DISK, WORKLOAD, "no disk state"),
            Row.failed(Contender.MILLRACE, Scenario.COUNT_DISK, WORKLOAD, "it fell over")));
  }

  private static Run run(double rate, double cpu) {
    return new Run(rate, cpu, cpu + 10, 5 << 20, "Millrace", "as it comes");
  }

  @Test
  void resultsHoldTheMediansUnderTheirNames() throws IOException {
    Path file = directory.resolve("scenarios.json");
    Figures.writeJson(figure(), file);
    JsonNode results = JsonMapper.shared().readTree(Files.readString(file)).get("results");
    JsonNode first = results.get(0);
    assertEquals("millrace", first.get("engine").stringValue());
    assertEquals("pass", first.get("scenario").stringValue());
    assertEquals(10_000, first.get("keys").intValue());
    assertEquals(2_000, first.get("rate").doubleValue());
    assertEquals(2, first.get("cpuSecondsPerMillion").doubleValue());
    assertEquals(12, first.get("brokerCpuSecondsPerMillion").doubleValue());
    assertEquals(5, first.get("peakRssMb").intValue());
    assertEquals(1.5, first.get("p50Ms").doubleValue());
    assertEquals(2.5, first.get("p99Ms").doubleValue());
    assertEquals("Wheel.turn", first.get("costs").get(0).get("what").stringValue());
    assertEquals(0.25, first.get("costs").get(0).get("share").doubleValue());
    assertEquals(0.5, first.get("costs").get(0).get("cpuSecondsPerMillion").doubleValue());
    assertEquals("Millrace", first.get("versions").stringValue());
    assertEquals("as it comes", first.get("settings").stringValue());
    assertTrue(results.get(1).get("rate").isNull());
    assertTrue(results.get(1).get("brokerCpuSecondsPerMillion").isNull());
    assertEquals("no disk state", results.get(1).get("why").stringValue());
    assertFalse(results.get(1).get("failed").booleanValue());
    assertTrue(results.get(2).get("failed").booleanValue());
  }

  @Test
  void theTableSaysWhatCannotBeAndWhatFailed() {
    String rows = figure().rows().toString();
    assertTrue(rows.contains("no disk state"), rows);
    assertTrue(rows.contains("FAILED: it fell over"), rows);
  }

  @Test
  void aPlotLeavesOutWhatIsNotThere() throws IOException {
    Path file = directory.resolve("scenarios.svg");
    Figures.writeSvg(figure(), file);
    assertFalse(Files.readString(file).contains("NaN"));
  }
}

package dev.millrace.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.jmh.MicroBenchmark.Measured;
import dev.millrace.benchmarks.report.Figure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MicroBenchmarkTest {
  @TempDir private Path directory;

  @Test
  void theTableHasTheMedianOfTheRunsAndTheirSpread() {
    Figure figure =
        MicroBenchmark.figure(
            List.of(
                new Measured(
                    "StoreBenchmark.count",
                    "add one",
                    Map.of("keys", "10"),
                    List.of(4.0, 2.0, 9.0),
                    0.5)),
            3);

    assertEquals(
        List.of(List.<Object>of("Store.count", "add one, keys 10", "4.0", "2.0 to 9.0", "0.5")),
        figure.rows());
    Map<String, Object> result = figure.results().getFirst();
    assertEquals("StoreBenchmark.count", result.get("benchmark"));
    assertEquals(4.0, result.get("nanos"));
    assertEquals(2.0, result.get("nanosLeast"));
    assertEquals(9.0, result.get("nanosMost"));
    assertEquals(0.5, result.get("bytes"));
  }

  @Test
  void anExpressionThatIsInNoNameIsAFailure() {
    assertThrows(IllegalStateException.class, () -> MicroBenchmark.figure(List.of(), 1));
  }

  @Test
  void whatIsNotBuiltSaysHowToBuildIt() {
    MicroBenchmark benchmark = new MicroBenchmark(directory, "", 1, directory, said -> {});
    String message =
        String.valueOf(assertThrows(IllegalStateException.class, benchmark::run).getMessage());
    assertTrue(message.contains("mvn package -pl benchmarks/micro -am"), message);
  }
}

package dev.millrace.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.runner.RunnerException;

class MicroMainTest {
  @TempDir private Path directory;

  @Test
  void everyBenchmarkIsListedAndRunsAndSaysWhatItMeasures() throws RunnerException, IOException {
    List<String> names = MicroMain.names("");
    assertEquals(benchmarksInTheSources(), names);
    Set<String> words = new HashSet<>();
    for (String name : names) {
      List<Map<String, Object>> results = MicroMain.runShortly(name, directory.resolve("said.txt"));
      assertEquals(1, results.size(), name);
      Map<String, Object> result = results.getFirst();
      assertTrue(name.endsWith("." + result.get("benchmark")), name);
      assertTrue((double) ((List<?>) result.get("nanos")).getFirst() > 0, name);
      assertTrue((double) result.get("bytes") >= 0, name);
      words.add(result.get("benchmark") + ": " + result.get("what"));
    }
    assertEquals(names.size(), words.size());
  }

  @Test
  void anExpressionChoosesAmongThem() {
    String wire = "dev.millrace.benchmarks.micro.WireBenchmark.";
    assertEquals(List.of(wire + "encode", wire + "parse"), MicroMain.names("Wire"));
    assertEquals(List.of(wire + "parse"), MicroMain.names("Wire.*p.r"));
    assertEquals(List.of(), MicroMain.names("Wire$"));
  }

  /// What the compiled classes beside this one have.
  private static List<String> benchmarksInTheSources() throws IOException {
    Path classes = Path.of("target/classes/dev/millrace/benchmarks/micro");
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(classes)) {
      for (Path file : files.filter(each -> each.toString().endsWith("Benchmark.class")).toList()) {
        String simple = file.getFileName().toString().replace(".class", "");
        Class<?> type = Class.forName("dev.millrace.benchmarks.micro." + simple);
        Arrays.stream(type.getMethods())
            .filter(method -> method.isAnnotationPresent(Benchmark.class))
            .forEach(method -> names.add(type.getName() + "." + method.getName()));
      }
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
    assertFalse(names.isEmpty());
    return names.stream().sorted().toList();
  }
}

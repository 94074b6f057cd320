package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The engines of others, and the micro-benchmarks, run as the build left them. Here, as this
/// module comes after all that the command needs; `package` must have run.
class PeersTest {
  @TempDir private Path directory;

  @Test
  @Tag("thorough")
  void everyEngineRestoresWhatItCounted() throws IOException, InterruptedException {
    String text = bench("restore", "--peers", "--keys", "2000", "--runs", "1");
    assertTrue(text.contains("Kafka Streams 4"), text);
    assertTrue(text.contains("Flink 2"), text);
  }

  @Test
  @Tag("thorough")
  void everyEngineCountsRightInEveryScenario() throws IOException, InterruptedException {
    String text =
        bench(
            "scenarios",
            "--keys",
            "1000",
            "--records",
            "50000",
            "--runs",
            "1",
            "--heap",
            "1024",
            "--page-cache",
            "as-is");
    assertTrue(text.contains("no disk state"), text);
    assertFalse(text.contains("FAILED"), text);
  }

  @Test
  @Tag("thorough")
  void microBenchmarksPrintATable() throws IOException, InterruptedException {
    String text = bench("micro", "--only", "WireBenchmark.parse", "--runs", "1");
    assertTrue(text.contains("parse a fetched record of 100 bytes"), text);
    assertFalse(text.contains("encode"), text);
  }

  private String bench(String... arguments) throws IOException, InterruptedException {
    Path root = Reactor.find().root();
    Path cli = root.resolve("cli/target");
    Path said = directory.resolve("said.txt");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command =
        new ArrayList<>(
            List.of(
                java.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dmillrace.home=" + root,
                "-cp",
                cli.resolve("classes") + ":" + cli.resolve("lib") + "/*",
                "dev.millrace.cli.Main",
                "bench"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--directory", directory.resolve("data").toString()));
    Process bench =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    int status = bench.waitFor();
    String text = Files.readString(said, StandardCharsets.UTF_8);
    assertEquals(0, status, text);
    return text;
  }
}

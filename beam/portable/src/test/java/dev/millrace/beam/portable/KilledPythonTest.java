package dev.millrace.beam.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pipeline for Python on Kafka whose job server and harness are killed again and again gives the
/// same results as one that runs through: each once, or the same one again.
@Tag("thorough")
class KilledPythonTest {
  private static final long SEED = 47;
  private static final int KILLS = 3;
  private static final int NUMBERS = 6_000;
  private static final int LINES_BETWEEN = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Pattern PORT = Pattern.compile("listens on port (\\d+)");

  @TempDir private Path directory;

  @BeforeAll
  static void install() throws Exception {
    PythonSdk.install();
  }

  @Test
  void resultsAreExactAfterKills() throws Exception {
    Random random = new Random(SEED);
    Path lines = Files.createFile(directory.resolve("lines"));
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory.resolve("kafka")).start()) {
      for (int kill = 0; kill <= KILLS; kill++) {
        long until =
            kill < KILLS
                ? Files.readAllLines(lines).size() + LINES_BETWEEN + random.nextInt(LINES_BETWEEN)
                : Long.MAX_VALUE;
        boolean ended = runsToItsEnd(kafka.bootstrapServers(), kill, lines, until);
        assertEquals(kill == KILLS, ended, "It ended before it was killed often enough.");
      }
    }
    assertEquals(Sums.expected(NUMBERS), List.copyOf(new TreeSet<>(Files.readAllLines(lines))));
  }

  /// Runs it until it has ended, or has written so many lines that it is to be killed in the midst
  /// of its work.
  private boolean runsToItsEnd(String kafka, int run, Path lines, long until) throws Exception {
    Path output = directory.resolve("output-" + run);
    Process server = server(kafka, directory.resolve("server-" + run));
    Process pipeline = null;
    try {
      pipeline = pipeline(port(directory.resolve("server-" + run), server), lines, output);
      long begun = System.nanoTime();
      while (Files.readAllLines(lines).size() < until) {
        if (pipeline.waitFor(20, TimeUnit.MILLISECONDS)) {
          assertEquals(0, pipeline.exitValue(), () -> text(output));
          return true;
        }
        assertTrue(
            System.nanoTime() - begun < PATIENCE.toNanos(), () -> "It stands. " + text(output));
      }
      return false;
    } finally {
      server.destroyForcibly().waitFor();
      if (pipeline != null) {
        pipeline.destroyForcibly().waitFor();
      }
    }
  }

  private Process server(String kafka, Path output) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx400m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path"),
                JobServer.class.getName(),
                "--port=0",
                "--settings=kafka.bootstrap.servers=" + kafka,
                "--settings=state.directory=" + directory.resolve("state"),
                "--settings=commit.interval=200ms",
                "--settings=http.port=-1"))
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static int port(Path output, Process server) throws Exception {
    while (true) {
      Matcher found = PORT.matcher(text(output));
      if (found.find()) {
        return Integer.parseInt(found.group(1));
      }
      assertTrue(!server.waitFor(20, TimeUnit.MILLISECONDS), () -> text(output));
    }
  }

  private static Process pipeline(int port, Path lines, Path output) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                PythonSdk.program("sums.py"),
                "--lines=" + lines,
                "--numbers=" + NUMBERS,
                "--a_second=1000"));
    arguments.addAll(PythonSdk.on(port, "sums"));
    return PythonSdk.start(output, Map.of(), arguments);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}

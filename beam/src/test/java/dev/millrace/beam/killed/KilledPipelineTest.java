package dev.millrace.beam.killed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pipeline on Kafka whose process is killed again and again gives the same results as one that
/// runs through: each once, or the same one again. What was told a function with stable input does
/// not change.
class KilledPipelineTest {
  private static final long SEED = 46;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir Path directory;

  @Test
  void resultsAreExactAfterTwoKills() throws Exception {
    run(20_000, 4_000, 2);
  }

  @Test
  @Tag("thorough")
  void resultsAreExactAfterManyKills() throws Exception {
    run(400_000, 4_000, 20);
  }

  private void run(long numbers, long aSecond, int kills) throws Exception {
    Random random = new Random(SEED);
    Path lines = directory.resolve("lines");
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory.resolve("kafka")).start()) {
      int killed = 0;
      boolean ended = false;
      while (!ended) {
        Process process = start(kafka.bootstrapServers(), lines, numbers, aSecond, "direct");
        try {
          boolean kill = killed < kills;
          long until =
              kill ? size(List.of(lines)) + numbers / 20 + random.nextInt(1_000) : Long.MAX_VALUE;
          if (endsBefore(process, List.of(lines), until)) {
            assertEquals(0, process.exitValue(), () -> errors());
            ended = true;
          } else {
            killed++;
          }
        } finally {
          process.destroyForcibly().waitFor();
        }
      }
      assertEquals(kills, killed, "It ended before it was killed often enough.");
    }
    assertEquals(expected(numbers), new TreeSet<>(Files.readAllLines(lines)));
    requireStable(numbers, Files.readAllLines(Path.of(lines + KilledPipeline.STABLE)));
  }

  /// Two processes share the tasks; each of them is killed once, and started again. Which of them
  /// has the tasks that write is not up to the test.
  @Test
  void resultsOfTwoProcessesAreExact() throws Exception {
    long numbers = 20_000;
    List<Path> lines = List.of(directory.resolve("lines-0"), directory.resolve("lines-1"));
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory.resolve("kafka")).start()) {
      Process[] processes = new Process[2];
      try {
        for (int i = 0; i < 2; i++) {
          processes[i] = start(kafka.bootstrapServers(), lines.get(i), numbers, 2_000, "topics");
        }
        for (int i = 0; i < 2; i++) {
          boolean ended = endsBefore(processes[i], lines, size(lines) + 1_000);
          assertFalse(ended, () -> "It has ended too soon. " + errors());
          processes[i].destroyForcibly().waitFor();
          processes[i] = start(kafka.bootstrapServers(), lines.get(i), numbers, 2_000, "topics");
        }
        for (int i = 0; i < 2; i++) {
          assertTrue(endsBefore(processes[i], lines, Long.MAX_VALUE));
          assertEquals(0, processes[i].exitValue(), this::errors);
        }
      } finally {
        for (Process each : processes) {
          if (each != null) {
            each.destroyForcibly().waitFor();
          }
        }
      }
    }
    List<String> stable = new ArrayList<>();
    TreeSet<String> all = new TreeSet<>();
    for (Path each : lines) {
      all.addAll(Files.readAllLines(each));
      stable.addAll(Files.readAllLines(Path.of(each + KilledPipeline.STABLE)));
    }
    assertEquals(expected(numbers), all);
    requireStable(numbers, stable);
  }

  /// Each number that was told was told with one content, in all attempts.
  private static void requireStable(long numbers, List<String> told) {
    SortedMap<Long, Set<String>> contents = new TreeMap<>();
    for (String line : told) {
      int space = line.indexOf(' ');
      contents
          .computeIfAbsent(Long.parseLong(line.substring(0, space)), _ -> new TreeSet<>())
          .add(line.substring(space));
    }
    SortedMap<Long, Integer> expected = new TreeMap<>();
    for (long number = 0; number < numbers; number += KilledPipeline.SAMPLED) {
      expected.put(number, 1);
    }
    SortedMap<Long, Integer> found = new TreeMap<>();
    contents.forEach((number, each) -> found.put(number, each.size()));
    assertEquals(expected, found);
  }

  /// Waits until it has ended, or has written so much that it is to be killed in the midst of it.
  private boolean endsBefore(Process process, List<Path> lines, long bytes) throws Exception {
    long begun = System.nanoTime();
    while (size(lines) < bytes) {
      if (process.waitFor(5, TimeUnit.MILLISECONDS)) {
        return true;
      }
      assertTrue(
          System.nanoTime() - begun < PATIENCE.toNanos(), () -> "It has not ended. " + errors());
    }
    return false;
  }

  private static long size(List<Path> files) throws IOException {
    long size = 0;
    for (Path each : files) {
      size += Files.exists(each) ? Files.size(each) : 0;
    }
    return size;
  }

  private Process start(String bootstrap, Path lines, long numbers, long aSecond, String exchanges)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx400m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path"),
                KilledPipeline.class.getName(),
                bootstrap,
                directory.resolve("state").toString(),
                lines.toString(),
                Long.toString(numbers),
                Long.toString(aSecond),
                exchanges));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("output").toFile()))
        .start();
  }

  private String errors() {
    try {
      String all = Files.readString(directory.resolve("output"));
      return all.substring(Math.max(0, all.length() - 4_000));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// What plain arithmetic says.
  private static TreeSet<String> expected(long numbers) {
    TreeSet<String> lines = new TreeSet<>();
    long window = KilledPipeline.WINDOW_MILLIS;
    for (long start = 0; start < numbers; start += window) {
      for (long key = 0; key < KilledPipeline.KEYS; key++) {
        long count = 0;
        long sum = 0;
        for (long number = start; number < Math.min(numbers, start + window); number++) {
          if (number % KilledPipeline.KEYS == key) {
            count++;
            sum += number;
          }
        }
        lines.add(
            "grouped %d %d %d %d 0".formatted(key, start, count, sum * KilledPipeline.FACTOR));
        lines.add("counted %d %d %d".formatted(key, start, sum));
      }
    }
    return lines;
  }
}

package dev.millrace.benchmarks.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.nexmark.NexmarkConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Queries of Nexmark on Kafka, whose process is killed every five seconds, have the results of
/// their models: each as often as there, although what was done since the last commit is done
/// again. A process that starts slowly lives longer: for some time after its first commit.
///
/// `-Dmillrace.nexmark.seconds=600` lets each query take about ten minutes.
class KilledNexmarkTest {
  private static final long SEED = 75;
  private static final int SECONDS = Integer.getInteger("millrace.nexmark.seconds", 75);
  private static final Duration LIFE = Duration.ofSeconds(5);
  private static final int MILLIS_AT_WORK = 2_500;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /// How many events come in a second while a process reads.
  private static final long A_SECOND = 2_000;

  /// How many there are for each second that a query is to take: a process that is killed soon
  /// starts for most of its life.
  private static final long FOR_A_SECOND = 600;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"Q3", "Q5", "Q8"})
  @Tag("thorough")
  void resultsAreThoseOfTheModel(Modelled query) throws Exception {
    NexmarkConfiguration configuration = KilledNexmark.configuration(SECONDS * FOR_A_SECOND);

    assertEquals(query.counted(configuration), run(query.name(), configuration.numEvents));
  }

  @Test
  @Tag("thorough")
  void sessionsHaveTheirBids() throws Exception {
    NexmarkConfiguration configuration = KilledNexmark.configuration(SECONDS * FOR_A_SECOND);

    assertEquals(Plain.sessions(configuration), run("Q11", configuration.numEvents));
  }

  /// Runs a query to its end, over many deaths.
  ///
  /// @return how often each result is there
  private Map<String, Long> run(String query, long events) throws Exception {
    Random random = new Random(SEED);
    Journal journal = new Journal(directory.resolve("journal").toString());
    Path results = Files.createDirectory(directory.resolve("results"));
    long begun = System.nanoTime();
    int kills = 0;
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory.resolve("kafka")).start()) {
      boolean ended = false;
      while (!ended) {
        Process process = start(query, kafka.bootstrapServers(), events, journal, results);
        try {
          ended = endsBefore(process, 200 + random.nextInt(MILLIS_AT_WORK), journal);
          if (ended) {
            assertEquals(0, process.exitValue(), this::errors);
          } else {
            kills++;
          }
        } finally {
          process.destroyForcibly().waitFor();
        }
      }
    }
    Map<String, Long> counted = Kept.counted(results);
    Lives.of(journal.lines()).assertWentOn();
    System.out.printf(
        "%s: %,d events, %,d different results, %d kills in %d s%n",
        query,
        events,
        counted.size(),
        kills,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
    int wanted = SECONDS / 15;
    assertTrue(kills >= wanted, "It ended after %d kills of %d.".formatted(kills, wanted));
    return counted;
  }

  /// Waits until a process has ended, or has lived long enough: some time after its first commit.
  private boolean endsBefore(Process process, long millisAtWork, Journal journal) throws Exception {
    long begun = System.nanoTime();
    long end = Long.MAX_VALUE;
    while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
      long age = System.nanoTime() - begun;
      if (end == Long.MAX_VALUE && Lives.of(journal.lines()).hasCommitted(process.pid())) {
        end = Math.max(LIFE.toNanos(), age + TimeUnit.MILLISECONDS.toNanos(millisAtWork));
      }
      if (age >= end) {
        return false;
      }
      assertTrue(age < PATIENCE.toNanos(), () -> "It has neither ended nor gone on. " + errors());
    }
    return true;
  }

  private Process start(String query, String kafka, long events, Journal journal, Path results)
      throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx400m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp",
            System.getProperty("java.class.path"),
            KilledNexmark.class.getName(),
            query,
            kafka,
            directory.resolve("state").toString(),
            Long.toString(events),
            Long.toString(A_SECOND),
            journal.file(),
            results.toString());
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
}

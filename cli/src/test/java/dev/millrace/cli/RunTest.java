package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.kafka;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.kafka.embedded.SharedTopics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Applications in processes of their own, as a person runs them, with the logging of the command.
class RunTest {
  private static final int QUIET = 15;

  /// What a start says where the broker is slow to answer, as on a busy machine.
  private static final String WAITING = "Waiting up to ";

  @TempDir Path directory;

  private final String name = uniqueName("run");

  private JavaProcess start(Class<?> main, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--bootstrap", bootstrapServers()));
    return JavaProcess.start(
        directory,
        List.of("-D" + Numbers.NAME + "=" + name),
        System.getProperty("java.class.path"),
        main.getName(),
        all);
  }

  private long lastSum(int count) {
    return Long.parseLong(SharedTopics.read(name + "-out", count).getLast().value());
  }

  @Test
  void aQuietStartAndSigtermCommitsWhatWasProcessedAndEndsWithStatusZero()
      throws IOException, InterruptedException {
    SharedTopics.create(name + "-in", 1);
    // It commits when it is told to stop, and not before.
    try (JavaProcess job =
        start(Numbers.class, "--commit.interval=1h", "--commit.latency-target=1h", "--http=0")) {
      job.awaitOutput("is RUNNING");
      assertTrue(job.output().lines().count() <= QUIET, job.output());
      String first =
          job.output().lines().filter(line -> !line.contains(WAITING)).findFirst().orElse("");
      assertTrue(first.contains("Kafka cluster " + kafka().clusterId()), first);
      SharedTopics.write(name + "-in", "1", "2", "3");
      String metrics = awaitMetric(job, "millrace_records_total\\{[^}]*stage=\"0\"[^}]*} 3");
      assertTrue(metrics.contains("application=\"" + name + "\""), metrics);
      job.terminate();
      assertEquals(ExitCode.DONE, job.status(), job.output());
      assertTrue(job.output().contains("[" + name + " 0-0] Saw 3 of partition 0."), job.output());
      assertTrue(job.output().contains("is STOPPED"), job.output());
      assertTrue(job.output().lines().count() <= QUIET, job.output());
    }
    assertEquals(
        3,
        SharedTopics.read(name + ".all-exchange", 3).stream()
            .filter(record -> record.key() != null)
            .count());
    // The sum is behind that exchange, so the next run takes it up.
    try (JavaProcess job = start(Main.class, "run", Numbers.class.getName())) {
      assertEquals(6, lastSum(3));
      job.terminate();
      assertEquals(ExitCode.DONE, job.status(), job.output());
    }
    assertEquals(3, SharedTopics.read(name + "-out", 3).size());
  }

  @Test
  void aStopThatCannotCommitInTimeEndsWithFiveAndTheNextRunProcessesAgain()
      throws IOException, InterruptedException {
    SharedTopics.create(name + "-in", 1);
    SharedTopics.write(name + "-in", "1", "2", "3");
    try (JavaProcess job =
        start(
            Numbers.class,
            "--commit.interval=1h",
            "--commit.latency-target=1h",
            "--stop.timeout=1ms",
            "--http=0")) {
      awaitMetric(job, "millrace_records_total\\{[^}]*stage=\"0\"[^}]*} 3");
      job.terminate();
      assertEquals(ExitCode.STOP_TIMEOUT, job.status(), job.output());
      String said = job.output();
      assertTrue(said.contains("within 1 ms (stop.timeout). Its next start"), said);
    }
    try (JavaProcess job = start(Numbers.class)) {
      assertEquals(6, lastSum(3));
      job.terminate();
      assertEquals(ExitCode.DONE, job.status(), job.output());
    }
    assertEquals(3, SharedTopics.read(name + "-out", 3).size());
  }

  private static String awaitMetric(JavaProcess job, String pattern) throws InterruptedException {
    job.awaitOutput("Metrics and health at ");
    Matcher url = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/").matcher(job.output());
    assertTrue(url.find(), job.output());
    Pattern wanted = Pattern.compile(pattern);
    String[] last = {""};
    job.await(
        () -> {
          last[0] = get(url.group() + "metrics");
          return wanted.matcher(last[0]).find();
        },
        "No " + pattern);
    // Records are counted a moment before the job is said to run.
    job.await(() -> get(url.group() + "ready").equals("RUNNING\n"), "Not ready");
    assertEquals("RUNNING\n", get(url.group() + "live"));
    return last[0];
  }

  private static String get(String url) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new AssertionError(url, e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aBadRecordEndsTheProcessWithThreeAndSkippingItGetsItGoing()
      throws IOException, InterruptedException {
    SharedTopics.create(name + "-in", 1);
    SharedTopics.write(name + "-in", "1", "two", "3");
    String place = name + "-in:0:1";
    try (JavaProcess job = start(Numbers.class)) {
      assertEquals(ExitCode.BAD_INPUT, job.status(), job.output());
      String said = job.output();
      for (String part :
          List.of(place, "map", "For input string: \"two\"", "--skip " + place, "dead-letter")) {
        assertTrue(said.contains(part), () -> "No '" + part + "' in " + said);
      }
      assertFalse(said.contains("\tat "), said);
      assertTrue(said.lines().count() <= QUIET, said);
    }
    try (JavaProcess job = start(Main.class, "run", Numbers.class.getName(), "--skip", place)) {
      assertEquals(4, lastSum(2));
      job.terminate();
      assertEquals(ExitCode.DONE, job.status(), job.output());
    }
  }

  @Test
  void topicsAreListedDescribedAndRead() {
    SharedTopics.create(name + "-in", 2);
    SharedTopics.write(name + "-in", "1", "2");
    Command list = Command.run("topics", "--bootstrap", bootstrapServers());
    assertEquals(ExitCode.DONE, list.status(), list.out());
    assertTrue(list.out().matches("(?s).*" + name + "-in +2 +2\\R.*"), list.out());

    Command one =
        Command.run("topics", "--bootstrap", bootstrapServers(), "--tail=1", name + "-in");
    assertTrue(one.out().matches("(?s).*\\R  0 +0 +2 +2\\R  1 +0 +0 +0\\R.*"), one.out());
    assertTrue(one.out().matches("(?s).*  0:1  \\S+  -  2\\R"), one.out());

    Command wrong = Command.run("topics", "--bootstrap", bootstrapServers(), name + "-im");
    assertEquals(ExitCode.USAGE, wrong.status(), wrong.out());
    assertTrue(wrong.out().contains("did you mean '" + name + "-in'?"), wrong.out());
  }
}

package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.kafka.embedded.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a person reads while the broker is away or slow, with the logging of the command.
class BrokerAwayTest {
  private static final String NAME = "away";

  /// Lines of the log that say what happens, and lines of nothing else.
  private static final Pattern LINE =
      Pattern.compile("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} (INFO|WARN|ERROR) .*");

  /// Two sentences run together, and durations that are not in words.
  private static final Pattern ODD =
      Pattern.compile("\\bP(T|\\d)[0-9.DHMST]+\\b|[^.\\s]\\. [a-z]|\\.\\.|: :|Call: ");

  private static final long LONGER_THAN_A_CALL_MILLIS = 12_000;

  @TempDir Path directory;

  private String port = "";

  @SuppressWarnings("NullAway.Init") // made before each test
  private JavaProcess broker;

  @BeforeEach
  void startBroker() throws IOException, InterruptedException {
    port = Integer.toString(FreePorts.next());
    broker = broker();
    broker.awaitOutput("Kafka: cluster");
  }

  @AfterEach
  void endBroker() throws IOException, InterruptedException {
    broker.resume();
    broker.close();
  }

  private JavaProcess broker() throws IOException {
    return JavaProcess.start(
        directory,
        List.of(),
        System.getProperty("java.class.path"),
        Main.class.getName(),
        List.of("kafka", "--data=" + directory.resolve("kafka"), "--port=" + port));
  }

  private JavaProcess job(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--bootstrap", "127.0.0.1:" + port));
    return JavaProcess.start(
        directory,
        List.of("-D" + Numbers.NAME + "=" + NAME),
        System.getProperty("java.class.path"),
        Numbers.class.getName(),
        all);
  }

  @Test
  @Tag("thorough") // it waits
  void aStartWaitsForABrokerThatDoesNotListenYetAndSaysSo()
      throws IOException, InterruptedException {
    broker.kill();
    try (JavaProcess job = job()) {
      job.awaitOutput("Waiting up to 60 s for Kafka: no broker answers at 127.0.0.1:" + port);
      Thread.sleep(LONGER_THAN_A_CALL_MILLIS);
      broker = broker();
      job.awaitOutput("is RUNNING");
      end(job);
    }
  }

  @Test
  void aStartWaitsForABrokerThatStandsStillAndSaysSo() throws IOException, InterruptedException {
    broker.pause();
    try (JavaProcess job = job()) {
      job.awaitOutput("Waiting up to 60 s for Kafka: a process listens at 127.0.0.1:" + port);
      Thread.sleep(LONGER_THAN_A_CALL_MILLIS);
      broker.resume();
      job.awaitOutput("is RUNNING");
      end(job);
    }
  }

  @Test
  void aStartThatWaitsForItsBrokerIsStoppedAtOnce() throws IOException, InterruptedException {
    broker.pause();
    try (JavaProcess job = job()) {
      job.awaitOutput("Waiting up to 60 s for Kafka");
      job.terminate();
      assertEquals(ExitCode.DONE, job.status(5), job.output());
      assertTrue(job.output().contains("is STOPPED"), job.output());
    }
  }

  @Test
  @Tag("thorough") // it waits
  void aRunningJobSaysThatItsBrokerIsAwayInWholeSentencesOneALine()
      throws IOException, InterruptedException {
    try (JavaProcess job = job()) {
      job.awaitOutput("is RUNNING");
      broker.pause();
      job.awaitOutput("The log is not available, trying again");
      broker.resume();
      Thread.sleep(3_000);
      broker.kill();
      job.awaitOutput("Positions cannot be looked at");
      Thread.sleep(LONGER_THAN_A_CALL_MILLIS);
      broker = broker();
      broker.awaitOutput("Kafka: cluster");
      Thread.sleep(3_000);
      end(job);
    }
  }

  private static void end(JavaProcess job) throws InterruptedException {
    job.terminate();
    assertEquals(ExitCode.DONE, job.status(), job.output());
    job.output()
        .lines()
        .forEach(line -> {
          assertTrue(LINE.matcher(line).matches(), () -> line + "\nin\n" + job.output());
          assertFalse(ODD.matcher(line).find(), () -> line + "\nin\n" + job.output());
        });
  }
}

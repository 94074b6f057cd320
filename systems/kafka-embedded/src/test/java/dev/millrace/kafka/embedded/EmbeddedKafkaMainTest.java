package dev.millrace.kafka.embedded;

import static dev.millrace.kafka.embedded.JavaProcess.exitStatus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedKafkaMainTest {
  @TempDir Path directory;
  @TempDir Path temporaryFiles;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void leaveNoProcess() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void whatWasAcknowledgedSurvivesKillAndTheDirectoryIsFreeAgain() throws Exception {
    Process killed = run(directory.toString());
    String servers = ready(killed);
    KafkaClients.createTopic(servers, "kept");
    KafkaClients.send(servers, "kept", "acknowledged");

    Process refused = run(directory.toString());
    assertEquals(1, exitStatus(refused));
    String reason = refused.errorReader().readLine();
    assertTrue(reason.contains(directory.toRealPath().toString()), reason);
    assertTrue(reason.contains(String.valueOf(killed.pid())), reason);

    killed.destroyForcibly();
    exitStatus(killed);
    Process restarted = run(directory.toString());
    servers = ready(restarted);
    assertEquals(List.of("acknowledged"), KafkaClients.values(servers, "kept", 1));

    restarted.destroy();
    exitStatus(restarted);
    try (DataDirectory free = DataDirectory.open(directory)) {
      assertTrue(free.wasClosedCleanly(), "SIGTERM stops the broker cleanly");
    }
  }

  @Test
  void endOfStandardInputStopsTheBrokerCleanlyAndWithoutAWord() throws Exception {
    Process process = run(directory.toString(), "0", "--exit-with-parent");
    ready(process);
    process.outputWriter().close();
    assertEquals(0, exitStatus(process));
    assertEquals(List.of(), process.errorReader().lines().toList());
    try (DataDirectory free = DataDirectory.open(directory)) {
      assertTrue(free.wasClosedCleanly());
    }
  }

  @Test
  void wrongArgumentsAreExplained() throws Exception {
    Process process = run(directory.toString(), "--property", "num.io.thread=2");
    assertEquals(2, exitStatus(process));
    String reason = process.errorReader().readLine();
    assertTrue(reason.contains("num.io.thread"), reason);
  }

  private Process run(String... arguments) throws IOException {
    Process process = JavaProcess.start(temporaryFiles, EmbeddedKafkaMain.class, arguments);
    started.add(process);
    return process;
  }

  private static String ready(Process process) throws IOException {
    BufferedReader output = process.inputReader();
    String line = output.readLine();
    assertTrue(line != null && line.startsWith("READY 127.0.0.1:"), () -> "It printed: " + line);
    return line.substring("READY ".length());
  }
}

package dev.millrace.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.EmbeddedKafkaMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A broker in a process of its own, which can be stopped and killed.
final class BrokerProcess implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private final Path directory;
  private final List<String> arguments;
  private Process process;
  private String servers = "";

  BrokerProcess(Path directory, String... properties) throws IOException {
    this.directory = directory;
    List<String> all = new ArrayList<>();
    for (String property : properties) {
      all.addAll(List.of("--property", property));
    }
    arguments = all;
    process = start("0");
  }

  private Process start(String port) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1"); // it lives for seconds
    command.add("--sun-misc-unsafe-memory-access=allow"); // Kafka's own, and noisy
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(EmbeddedKafkaMain.class.getName());
    command.addAll(List.of(directory.toString(), port, "--exit-with-parent"));
    command.addAll(arguments);
    Process started =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String line = started.inputReader().readLine();
    assertTrue(line != null && line.startsWith("READY "), () -> "It printed: " + line);
    servers = line.substring("READY ".length());
    return started;
  }

  String servers() {
    return servers;
  }

  /// Lets it stand still: connections stay, and nothing is answered.
  void stop() throws IOException, InterruptedException {
    signal("STOP");
    // The signal is only sent: a thread may run on for a moment.
    while (!standsStill()) {
      Thread.sleep(1);
    }
  }

  private boolean standsStill() throws IOException {
    Path threads = Path.of("/proc/" + process.pid() + "/task");
    try (Stream<Path> all = Files.list(threads)) {
      for (Path thread : all.toList()) {
        String stat;
        try {
          stat = Files.readString(thread.resolve("stat"));
        } catch (IOException _) {
          return false; // it has just ended: look again
        }
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    }
  }

  void go() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertEquals(0, kill.waitFor());
  }

  /// Ends it as `kill -9` does.
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "It did not end.");
  }

  /// Starts it again on the same data and port.
  void restart() throws IOException {
    process = start(servers.substring(servers.lastIndexOf(':') + 1));
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}

package dev.millrace.internal.kafka;

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
    assertTrue(start("0"), "The broker does not start.");
  }

  /// @return whether it is ready; else it has ended, and has said why
  private boolean start(String port) throws IOException {
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
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String line = process.inputReader().readLine();
    if (line == null) {
      return false;
    }
    assertTrue(line.startsWith("READY "), () -> "It printed: " + line);
    servers = line.substring("READY ".length());
    return true;
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

  /// Starts it again on the same data and port. Somebody may have the port for a while: a client
  /// that looks for the broker is given it for its own end now and then, and connects to itself.
  void restart() throws IOException {
    String port = servers.substring(servers.lastIndexOf(':') + 1);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!start(port)) {
      assertTrue(System.nanoTime() < end, "The broker does not start again at " + servers);
    }
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}

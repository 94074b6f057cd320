package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.millrace.kafka.embedded.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// A main class in a process of its own, with what it says in a file.
final class JavaProcess implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private final Process process;
  private final Path output;

  private JavaProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /// @param directory the process's current one
  /// @param options of the JVM
  static JavaProcess start(
      Path directory, List<String> options, String classpath, String main, List<String> arguments)
      throws IOException {
    Path output = Files.createTempFile(directory, "process", ".out");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1"); // it lives for seconds
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow"); // Kafka's own, and noisy
    command.addAll(options);
    command.addAll(List.of("-cp", classpath, main));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new JavaProcess(process, output);
  }

  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// Waits until the process has said something.
  void awaitOutput(String part) throws InterruptedException {
    await(() -> output().contains(part), "It does not say '" + part + "'");
  }

  void await(BooleanSupplier condition, String otherwise) throws InterruptedException {
    Patience patience = Patience.of(Duration.ofSeconds(PATIENCE_SECONDS));
    while (!condition.getAsBoolean()) {
      if (patience.isOver() || !process.isAlive()) {
        if (condition.getAsBoolean()) {
          return;
        }
        throw new AssertionError(otherwise + ": " + output());
      }
      patience.pause();
    }
  }

  /// The processes that it has started.
  Set<Long> children() {
    return process
        .children()
        .map(ProcessHandle::pid)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Sends SIGTERM.
  void terminate() {
    process.destroy();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /// Lets it stand still, as SIGSTOP does.
  void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    assertEquals(0, status);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int status() throws InterruptedException {
    return status(PATIENCE_SECONDS);
  }

  int status(int withinSeconds) throws InterruptedException {
    Patience patience = Patience.of(Duration.ofSeconds(withinSeconds));
    while (process.isAlive()) {
      assertFalse(patience.isOver(), () -> "It did not end: " + output());
      patience.pause();
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}

package dev.millrace.examples.remote;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// A server in a process of its own, which ends with this one at the latest.
final class ServerProcess implements AutoCloseable {
  static final String HOST = "127.0.0.1";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int END_SECONDS = 10;
  private static final Duration LOOK = Duration.ofMillis(20);

  private final Process process;
  private final Path says;
  private final Thread end = new Thread(this::end, "end-server");

  private ServerProcess(Process process, Path says) {
    this.process = process;
    this.says = says;
    Runtime.getRuntime().addShutdownHook(end);
  }

  /// @param says gets what it says
  static ServerProcess start(List<String> command, Path directory, Path says) throws IOException {
    return new ServerProcess(
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(says.toFile())
            .start(),
        says);
  }

  /// Runs a program to its end.
  ///
  /// @throws IllegalStateException if it fails
  static void run(List<String> command, Path directory, Path says)
      throws IOException, InterruptedException {
    ServerProcess program = start(command, directory, says);
    int code = program.process.waitFor();
    program.close();
    if (code != 0) {
      throw new IllegalStateException(
          "%s ended with %d; it has said: %s".formatted(command, code, Files.readString(says)));
    }
  }

  /// @throws IllegalStateException if it does not answer
  void await(BooleanSupplier answers) throws IOException, InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (!answers.getAsBoolean()) {
      if (!process.isAlive() || System.nanoTime() > until) {
        throw new IllegalStateException(
            "The server does not answer; it has said: " + Files.readString(says));
      }
      Thread.sleep(LOOK);
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(end);
    end();
  }

  private void end() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

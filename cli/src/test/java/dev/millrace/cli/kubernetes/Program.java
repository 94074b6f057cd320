package dev.millrace.cli.kubernetes;

import dev.millrace.kafka.embedded.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// A server in a process of its own, which ends with this one.
final class Program implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int END_SECONDS = 10;

  private final Process process;
  private final Path says;
  private final Thread end = new Thread(this::end, "end-program");

  private Program(Process process, Path says) {
    this.process = process;
    this.says = says;
    Runtime.getRuntime().addShutdownHook(end);
  }

  /// @param says gets what it says, behind what is there
  static Program start(List<String> command, Path directory, Path says) throws IOException {
    return new Program(
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(says.toFile()))
            .start(),
        says);
  }

  void await(BooleanSupplier answers) throws IOException {
    Patience patience = Patience.of(PATIENCE);
    while (!answers.getAsBoolean()) {
      if (!process.isAlive() || patience.isOver()) {
        throw new IllegalStateException("It does not answer. It has said: " + said());
      }
      patience.pause();
    }
  }

  private String said() throws IOException {
    String all = Files.readString(says);
    return all.substring(Math.max(0, all.length() - 4_000));
  }

  /// Ends it as `kill -9` does.
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
    close();
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
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

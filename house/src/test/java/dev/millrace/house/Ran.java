package dev.millrace.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// How a command ended, and what it said on standard output and standard error together.
record Ran(int status, String out) {

  /// Runs a command with the environment of this process.
  static Ran in(Path directory, String... command) {
    return finish(new ProcessBuilder(command).directory(directory.toFile()));
  }

  /// Runs a command with nothing but the given environment.
  static Ran with(Map<String, String> environment, Path directory, String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return finish(builder);
  }

  private static Ran finish(ProcessBuilder builder) {
    try {
      Process process = builder.redirectErrorStream(true).start();
      process.getOutputStream().close();
      try {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
          throw new IllegalStateException(builder.command() + " does not end");
        }
        return new Ran(process.exitValue(), out);
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + builder.command(), e);
    }
  }
}

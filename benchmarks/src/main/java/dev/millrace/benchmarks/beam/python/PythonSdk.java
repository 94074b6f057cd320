package dev.millrace.benchmarks.beam.python;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The Python SDK of a version of Beam, which pip installs when it is used first.
final class PythonSdk {
  private static final long PATIENCE_MINUTES = 20;

  private PythonSdk() {}

  /// Installs it, unless that was done before.
  ///
  /// @return the interpreter that has it
  /// @throws IllegalStateException if it cannot be installed
  static Path python(String version) throws IOException, InterruptedException, TimeoutException {
    Path home =
        Path.of(
            Objects.requireNonNull(System.getProperty("user.home")),
            ".cache",
            "millrace",
            "beam-words-" + version);
    Path python = home.resolve("bin/python");
    Path installed = home.resolve("installed");
    if (!Files.exists(installed)) {
      Files.createDirectories(home);
      Path log = home.resolve("install.log");
      run(log, List.of("python3.11", "-m", "venv", home.toString()));
      run(log, List.of(python.toString(), "-m", "pip", "install", "apache-beam==" + version));
      Files.createFile(installed);
    }
    return python;
  }

  private static void run(Path log, List<String> command)
      throws IOException, InterruptedException, TimeoutException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new TimeoutException(
          "%s takes longer than %d minutes; %s says more."
              .formatted(command, PATIENCE_MINUTES, log));
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException(
          "%s has failed. It needs Python 3.11 and a package index that pip reaches; %s says more."
              .formatted(command, log));
    }
  }
}

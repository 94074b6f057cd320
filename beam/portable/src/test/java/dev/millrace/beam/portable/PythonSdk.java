package dev.millrace.beam.portable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.util.ReleaseInfo;

/// The Python SDK of the same version of Beam, which is installed by pip when it is used first, and
/// the programs that are run with it.
final class PythonSdk {
  private static final String VERSION = ReleaseInfo.getReleaseInfo().getVersion();
  private static final Path HOME =
      Path.of(System.getProperty("user.home"), ".cache", "millrace", "beam-python-" + VERSION);
  private static final Path PYTHON = HOME.resolve("bin/python");

  /// What Beam's own tests need besides.
  private static final List<String> FOR_TESTS =
      List.of(
          "beautifulsoup4==4.15.0",
          "pytest==9.2.0",
          "tenacity==9.2.1",
          "parameterized==0.9.0",
          "pyhamcrest==2.1.0");

  private static final long PATIENCE_MINUTES = 20;

  private PythonSdk() {}

  /// Installs it, unless that was done before.
  static synchronized void install() throws Exception {
    Files.createDirectories(HOME);
    Path installed = HOME.resolve("installed");
    try (FileChannel channel =
            FileChannel.open(
                HOME.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      if (!Files.exists(installed)) {
        Path log = HOME.resolve("install.log");
        run(log, List.of("python3.11", "-m", "venv", HOME.toString()));
        List<String> pip =
            new ArrayList<>(
                List.of(PYTHON.toString(), "-m", "pip", "install", "apache-beam==" + VERSION));
        pip.addAll(FOR_TESTS);
        run(log, pip);
        Files.createFile(installed);
      }
    }
  }

  private static void run(Path log, List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "%s has failed. It needs Python 3.11 and a package index that pip reaches; %s says more."
              .formatted(command, log));
    }
  }

  /// Returns what runs a program of this module.
  ///
  /// @param output the file that has what it says
  /// @param environment variables besides those of this process
  static Process start(Path output, Map<String, String> environment, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(PYTHON.toString()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    builder.environment().putAll(environment);
    return builder.start();
  }

  /// Returns the options by which a program runs on a job server, with functions in its own
  /// process.
  static List<String> on(int port, String jobName) {
    return List.of(
        "--runner=PortableRunner",
        "--job_endpoint=127.0.0.1:" + port,
        "--environment_type=LOOPBACK",
        "--job_name=" + jobName);
  }

  /// Returns the path of a program.
  static String program(String name) {
    return Path.of("src/test/python", name).toAbsolutePath().toString();
  }
}

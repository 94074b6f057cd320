package dev.millrace.kafka.embedded;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs a main class with this process's class path in a process of its own.
final class JavaProcess {
  private static final int PATIENCE_SECONDS = 30;

  private JavaProcess() {}

  static Process start(Path temporaryFiles, Class<?> main, String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1"); // it lives for seconds
    command.add("--sun-misc-unsafe-memory-access=allow"); // Kafka's own, and noisy
    command.add("-Djava.io.tmpdir=" + temporaryFiles);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).start();
  }

  static int exitStatus(Process process) throws InterruptedException {
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "It did not end.");
    return process.exitValue();
  }
}

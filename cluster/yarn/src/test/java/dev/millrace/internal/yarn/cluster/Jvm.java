package dev.millrace.internal.yarn.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Another JVM of this test, whose standard output is read line by line and whose standard error
/// goes to a file.
public final class Jvm implements AutoCloseable {
  private final Process process;
  private final Path errors;

  /// @param options of the JVM, before the class path
  public Jvm(
      Path errors, List<String> options, String classPath, String main, List<String> arguments)
      throws IOException {
    this(errors, options, classPath, main, arguments, Map.of());
  }

  /// @param environment besides that of this process
  Jvm(
      Path errors,
      List<String> options,
      String classPath,
      String main,
      List<String> arguments,
      Map<String, String> environment)
      throws IOException {
    this.errors = errors;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp",
            classPath,
            main));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
    builder.environment().putAll(environment);
    process = builder.start();
  }

  /// Waits for a line that begins so; returns what follows.
  public String await(String begin) throws IOException {
    String line;
    do {
      line = process.inputReader().readLine();
      if (line == null) {
        throw new AssertionError("It ended before it said " + begin + ". " + errors());
      }
    } while (!line.startsWith(begin));
    return line.substring(begin.length()).strip();
  }

  /// Returns all that it prints until its end.
  public String output() throws IOException {
    return new String(
        process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
  }

  /// Waits for its end, and returns its status.
  public int end(int seconds) throws InterruptedException, IOException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      throw new AssertionError("It has not ended after " + seconds + " s. " + errors());
    }
    return process.exitValue();
  }

  /// Returns what it wrote to standard error, the end of it.
  public String errors() throws IOException {
    String all = Files.exists(errors) ? Files.readString(errors) : "";
    return all.substring(Math.max(0, all.length() - 6_000));
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /// Ends it as `kill -9` does.
  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new AssertionError("Process " + process.pid() + " does not end.");
    }
  }
}

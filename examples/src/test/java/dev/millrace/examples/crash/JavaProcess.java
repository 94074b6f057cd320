package dev.millrace.examples.crash;

import dev.millrace.kafka.embedded.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Another JVM, which has the class path of this one unless it is given another.
public final class JavaProcess implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 30;

  private final Process process;
  private final Path errors;
  private final long startedNanos = System.nanoTime();

  /// @param errors where its standard error goes
  public JavaProcess(String heap, Path errors, Class<?> main, List<String> arguments) {
    this(options(heap), errors, main, arguments);
  }

  /// @param errors where its standard error goes
  /// @param classPath instead of that of this one
  public JavaProcess(
      String heap, Path errors, String classPath, String main, List<String> arguments) {
    this(List.of(), options(heap), errors, classPath, main, arguments);
  }

  private static List<String> options(String heap) {
    // It lives for seconds.
    return List.of("-Xmx" + heap, "-XX:+UseSerialGC", "-ea", "-XX:TieredStopAtLevel=1");
  }

  /// @param options of the virtual machine
  /// @param errors where its standard error goes
  JavaProcess(List<String> options, Path errors, Class<?> main, List<String> arguments) {
    this(List.of(), options, errors, main, arguments);
  }

  /// @param before what to put before the command, such as a tool that runs it
  JavaProcess(
      List<String> before,
      List<String> options,
      Path errors,
      Class<?> main,
      List<String> arguments) {
    this(before, options, errors, System.getProperty("java.class.path"), main.getName(), arguments);
  }

  private JavaProcess(
      List<String> before,
      List<String> options,
      Path errors,
      String classPath,
      String main,
      List<String> arguments) {
    this.errors = errors;
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow"); // Kafka's own, and noisy
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    try {
      process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The first line it prints.
  public String firstLine() {
    try {
      String line = process.inputReader().readLine();
      if (line == null) {
        throw new IllegalStateException("It printed nothing. " + errors());
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether it has printed anything that was not read.
  public boolean hasPrinted() {
    try {
      return process.getInputStream().available() > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Asks it to end, by SIGTERM.
  public void ask() {
    process.toHandle().destroy();
  }

  /// Stops it where it is, by SIGSTOP.
  void stop() {
    signal("STOP");
  }

  /// Lets it go on.
  void goOn() {
    signal("CONT");
  }

  private void signal(String name) {
    int status;
    try {
      status =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The thread was interrupted.", e);
    }
    if (status != 0) {
      throw new IllegalStateException("Process " + process.pid() + " takes no SIG" + name + ".");
    }
  }

  public long pid() {
    return process.pid();
  }

  /// How long ago it was started.
  long ageMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /// Ends it as `kill -9` does.
  public void kill() {
    process.destroyForcibly();
    Patience.await(
        "The end of process " + process.pid(),
        Duration.ofSeconds(PATIENCE_SECONDS),
        () -> !process.isAlive());
  }

  /// Writes a byte to its standard input.
  void nudge() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Waits for its end.
  ///
  /// @return its status
  public int await(int atMostSeconds) {
    Patience patience = Patience.of(Duration.ofSeconds(atMostSeconds));
    while (process.isAlive()) {
      if (patience.isOver()) {
        throw new AssertionError("It has not ended after " + patience + ". " + errors());
      }
      patience.pause();
    }
    return process.exitValue();
  }

  /// What it said on standard error.
  public String errors() {
    try {
      return Files.exists(errors) ? Files.readString(errors) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}

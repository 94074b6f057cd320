package dev.millrace.benchmarks.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// A process of its own, a JVM as a rule. What it tells its parent are lines on standard output, a
/// name and a value each (see [Parent]). It ends when its parent does, as its standard input ends
/// then.
public final class Child implements AutoCloseable {
  private static final int TOLD_OF_ERRORS = 1_000;

  private final String name;
  private final Process process;
  private final long startedMillis;
  private final Map<String, String> told = new ConcurrentHashMap<>();
  private final Path errors;

  /// What a process runs.
  ///
  /// @param main the class with its `main`
  /// @param classPath in the form of the platform
  /// @param options of the JVM
  public record Program(String main, String classPath, List<String> options) {
    public Program {
      options = List.copyOf(options);
    }

    /// A class of this process's own class path.
    public static Program of(Class<?> main, String... options) {
      return new Program(main.getName(), property("java.class.path"), List.of(options));
    }
  }

  /// Starts a JVM.
  ///
  /// @param directory for what it writes to standard error
  public static Child start(String name, Program program, List<String> arguments, Path directory) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(property("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(program.options);
    command.add("-cp");
    command.add(program.classPath);
    command.add(program.main);
    command.addAll(arguments);
    return start(name, command, directory);
  }

  /// Starts a process.
  ///
  /// @param directory for what it writes to standard error
  public static Child start(String name, List<String> command, Path directory) {
    File errors = directory.resolve(name + ".log").toFile();
    try {
      return new Child(
          name,
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(errors))
              .start(),
          errors.toPath());
    } catch (IOException e) {
      throw new UncheckedIOException("Process '" + name + "' cannot be started.", e);
    }
  }

  private static String property(String name) {
    return Objects.requireNonNull(System.getProperty(name), name);
  }

  private Child(String name, Process process, Path errors) {
    this.name = name;
    this.process = process;
    this.errors = errors;
    startedMillis = System.currentTimeMillis();
    Thread.ofPlatform().daemon().name(name + "-lines").start(this::read);
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int blank = line.indexOf(' ');
        if (blank > 0) {
          told.put(line.substring(0, blank), line.substring(blank + 1));
        }
      }
    } catch (IOException e) {
      told.put("failed", e.toString());
    }
  }

  /// When it was started, in milliseconds since 1970.
  public long startedMillis() {
    return startedMillis;
  }

  /// The number of the process.
  public long pid() {
    return process.pid();
  }

  /// The processor time it has used so far, of all its threads.
  public Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /// The most memory it has had so far, in bytes; 0 where the system does not say.
  public long peakBytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException _) {
      return 0; // another system, or it has ended
    }
  }

  /// The bytes it has had written to disks so far; 0 where the system does not say.
  public long writtenBytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/io"))) {
      return lines
          .filter(line -> line.startsWith("write_bytes:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException _) {
      return 0; // another system, or it has ended
    }
  }

  /// What it told last under a name as a number; 0 if it has not.
  public long number(String what) {
    String value = told(what);
    return value.isEmpty() ? 0 : Long.parseLong(value);
  }

  /// What it told last under a name; empty if it has not.
  public String told(String what) {
    return told.getOrDefault(what, "");
  }

  /// Waits until it has told something.
  public String await(String what, Duration atMost) throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      String value = told.get(what);
      if (value != null) {
        return value;
      }
      requireAlive();
      if (System.nanoTime() > end) {
        throw new TimeoutException(
            "Process '%s' did not print '%s' within %s; see %s."
                .formatted(name, what, atMost, errors));
      }
      Thread.sleep(1);
    }
  }

  /// Waits until it has ended.
  ///
  /// @throws IllegalStateException if it ended with another status than 0
  public void awaitEnd(Duration atMost) throws InterruptedException, TimeoutException {
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new TimeoutException(
          "Process '%s' did not end within %s; see %s.".formatted(name, atMost, errors));
    }
    if (process.exitValue() != 0) {
      requireAlive();
    }
  }

  /// @throws IllegalStateException if it has ended
  public void requireAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "Process '%s' ended with status %d: %s (its whole output is in %s)."
              .formatted(name, process.exitValue(), lastErrors(), errors));
    }
  }

  /// The last that it has written to standard error.
  public String lastErrors() {
    try {
      String all = Files.exists(errors) ? Files.readString(errors) : "";
      return all.substring(Math.max(0, all.length() - TOLD_OF_ERRORS)).strip();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// Ends it as `kill -9` does, and waits until it is gone.
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /// Asks it to end, and does not wait.
  public void askToEnd() {
    process.destroy();
  }

  /// Asks it to end, and waits until it has.
  public void stop(Duration atMost) throws InterruptedException, TimeoutException {
    process.destroy();
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new TimeoutException(
          "Process '%s' was asked to end and goes on after %s; see %s."
              .formatted(name, atMost, errors));
    }
  }

  /// Asks it to end, and ends it if it does not.
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

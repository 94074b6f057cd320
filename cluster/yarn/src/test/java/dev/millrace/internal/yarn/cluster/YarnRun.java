package dev.millrace.internal.yarn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.EmbeddedKafkaMain;
import dev.millrace.kafka.embedded.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// An application on YARN, with a broker of its own.
public class YarnRun implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final HadoopCluster cluster;
  private final Path directory;
  private final String name;
  private final Class<?> main;
  private final Jvm broker;
  private final String bootstrap;

  /// A process in a container.
  public record Life(long pid, String host, String container) {
    public boolean isAlive() {
      return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /// Ends it as `kill -9` does.
    public void kill() {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /// @param name on YARN
  /// @param main what each container runs, with the directory of this run as its first argument
  YarnRun(HadoopCluster cluster, Path directory, String name, Class<?> main) throws IOException {
    this.cluster = cluster;
    this.directory = Files.createDirectories(directory);
    this.name = name;
    this.main = main;
    broker =
        new Jvm(
            directory.resolve("broker.err"),
            List.of("-Xmx320m"),
            System.getProperty("java.class.path"),
            EmbeddedKafkaMain.class.getName(),
            List.of(directory.resolve("broker").toString(), "0", "--exit-with-parent"));
    bootstrap = broker.await("READY ");
  }

  /// Submits it.
  ///
  /// @param options of the submission
  /// @param settings of the run
  void submit(List<String> options, List<String> settings)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "submit",
                "--master-memory",
                "256MB",
                "--classpath",
                HadoopCluster.applicationClassPath(),
                "--java-option=--sun-misc-unsafe-memory-access=allow",
                "--master-java-option=" + cluster.namesOption()));
    arguments.addAll(options);
    arguments.addAll(
        List.of(name, main.getName(), directory.toString(), "--bootstrap=" + bootstrap));
    arguments.addAll(settings);
    HadoopCluster.Said said = cluster.command(arguments.toArray(String[]::new));
    assertEquals(0, said.status(), () -> said.out() + said.err());
  }

  /// Returns the processes that live, by their pids.
  public List<Life> lives() {
    return all().filter(Life::isAlive).toList();
  }

  private Stream<Life> all() {
    Path processes = directory.resolve(ProcessFile.DIRECTORY);
    if (!Files.exists(processes)) {
      return Stream.of();
    }
    List<Life> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(processes)) {
      for (Path file : files.sorted().toList()) {
        String pid = file.getFileName().toString();
        if (!pid.startsWith(".")) {
          String[] said = Files.readString(file).split(" ");
          found.add(new Life(Long.parseLong(pid), said[0], said[1]));
        }
      }
    } catch (NoSuchFileException _) {
      return Stream.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream();
  }

  /// Waits until so many live, and returns them.
  public List<Life> await(int count) throws IOException {
    try {
      Patience.await(count + " processes", PATIENCE, () -> lives().size() == count);
    } catch (AssertionError e) {
      throw new AssertionError(lives() + " " + cluster.complaints() + errors(), e);
    }
    return lives();
  }

  /// Returns the process that is there now and was not before; waits for it.
  public Life awaitNew(List<Life> before) throws IOException {
    List<Long> old = all().map(Life::pid).filter(pid -> isOf(before, pid)).toList();
    try {
      Patience.await(
          "Another process",
          PATIENCE,
          () -> lives().stream().anyMatch(life -> !old.contains(life.pid())));
    } catch (AssertionError e) {
      throw new AssertionError(lives() + " " + cluster.complaints() + errors(), e);
    }
    return lives().stream().filter(life -> !old.contains(life.pid())).findFirst().orElseThrow();
  }

  private static boolean isOf(List<Life> lives, long pid) {
    return lives.stream().anyMatch(life -> life.pid() == pid);
  }

  /// Waits until the run has ended in order.
  public void awaitEnd() throws IOException, InterruptedException {
    HadoopCluster.Said said = cluster.command("status", "--wait", name);
    assertTrue(said.out().contains("SUCCEEDED"), said.out() + errors());
    assertEquals(0, said.status());
  }

  /// Returns the directory for state of a host.
  public Path state(String host) {
    return directory.resolve("state-" + host);
  }

  /// Returns the arguments by which a command finds the broker.
  public String bootstrap() {
    return bootstrap;
  }

  public Path directory() {
    return directory;
  }

  private String errors() {
    try {
      HadoopCluster.Said logs = cluster.command("logs", name);
      String text = logs.out() + logs.err();
      return text.substring(Math.max(0, text.length() - 8_000));
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e.toString();
    }
  }

  /// Returns the masters of this cluster that run.
  public List<ProcessHandle> masters() {
    return ProcessHandle.allProcesses()
        .filter(process -> {
          String line = commandLine(process);
          return line.contains("MasterMain") && line.contains(cluster.namesOption());
        })
        .filter(process -> !commandLine(process).contains("/bin/bash"))
        .toList();
  }

  /// Returns the host on which a process of a container runs, by its working directory.
  public String hostOf(ProcessHandle process) throws IOException {
    String works = Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd")).toString();
    return HadoopCluster.HOSTS.stream()
        .filter(host -> works.contains("/" + host + "/"))
        .findFirst()
        .orElseThrow(() -> new AssertionError(works + " is on no host"));
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).replace('\0', ' ');
    } catch (IOException _) {
      return ""; // it has ended
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    cluster.command("kill", "--now", name);
    masters().forEach(ProcessHandle::destroyForcibly);
    all().filter(Life::isAlive).forEach(Life::kill);
    broker.close();
  }
}

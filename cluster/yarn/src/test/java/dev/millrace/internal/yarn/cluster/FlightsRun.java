package dev.millrace.internal.yarn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightCheck;
import dev.millrace.examples.flights.FlightFile;
import dev.millrace.examples.flights.FlightLoader;
import dev.millrace.kafka.embedded.EmbeddedKafkaMain;
import dev.millrace.kafka.embedded.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The flights on YARN, with a broker of their own.
public final class FlightsRun implements AutoCloseable {
  public static final String NAME = "flights";

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final HadoopCluster cluster;
  private final Path directory;
  private final List<Flight> flights;
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

  /// @param count how many flights
  public FlightsRun(HadoopCluster cluster, Path directory, int count) throws Exception {
    this.cluster = cluster;
    this.directory = Files.createDirectories(directory);
    flights = FlightFile.read().subList(0, count);
    broker =
        new Jvm(
            directory.resolve("broker.err"),
            List.of("-Xmx320m"),
            System.getProperty("java.class.path"),
            EmbeddedKafkaMain.class.getName(),
            List.of(directory.resolve("broker").toString(), "0", "--exit-with-parent"));
    bootstrap = broker.await("READY ");
    assertTrue(new FlightLoader(bootstrap).load(flights, _ -> {}));
  }

  /// Submits them.
  public void submit(int containers, String... more) throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "submit",
                "--containers",
                Integer.toString(containers),
                "--memory",
                "512MB",
                "--master-memory",
                "256MB",
                "--classpath",
                HadoopCluster.applicationClassPath(),
                "--java-option=-XX:TieredStopAtLevel=1",
                "--java-option=-XX:+UseSerialGC",
                "--java-option=--sun-misc-unsafe-memory-access=allow",
                "--master-java-option=" + cluster.namesOption()));
    arguments.addAll(Arrays.asList(more));
    arguments.addAll(
        List.of(
            NAME,
            YarnFlights.class.getName(),
            directory.toString(),
            "--bootstrap=" + bootstrap,
            "--commit.interval=50ms",
            "--memory.budget=16MB",
            "--state.flush-interval=500ms"));
    HadoopCluster.Said said = cluster.command(arguments.toArray(String[]::new));
    assertEquals(0, said.status(), () -> said.out() + said.err());
  }

  /// Returns the processes that live, by their pids.
  public List<Life> lives() {
    return all().filter(Life::isAlive).toList();
  }

  private Stream<Life> all() {
    Path processes = directory.resolve(YarnFlights.PROCESSES);
    if (!Files.exists(processes)) {
      return Stream.of();
    }
    List<Life> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(processes)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (!name.startsWith(".")) {
          String[] said = Files.readString(file).split(" ");
          found.add(new Life(Long.parseLong(name), said[0], said[1]));
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

  /// From now on they read as fast as they can.
  public void hurry() throws IOException {
    Files.writeString(directory.resolve(YarnFlights.HURRY), "");
  }

  /// Waits until the run has ended in order.
  public void awaitEnd() throws IOException, InterruptedException {
    HadoopCluster.Said said = cluster.command("status", "--wait", NAME);
    assertTrue(said.out().contains("SUCCEEDED"), said.out() + errors());
    assertEquals(0, said.status());
  }

  /// From now on processes fail on a host as soon as they are started.
  public void makeBad(String host) throws IOException {
    Files.writeString(directory.resolve(YarnFlights.BAD + host), "");
  }

  /// Returns the directory for state of a host.
  public Path state(String host) {
    return directory.resolve("state-" + host);
  }

  /// Compares all results; returns how many.
  public long compare() {
    FlightCheck.Result result = new FlightCheck(flights).compare(bootstrap);
    assertEquals(List.of(), result.differences());
    assertTrue(result.rows() > 0);
    return result.rows();
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
      HadoopCluster.Said logs = cluster.command("logs", NAME);
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

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).replace('\0', ' ');
    } catch (IOException _) {
      return ""; // it has ended
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    cluster.command("kill", "--now", NAME);
    masters().forEach(ProcessHandle::destroyForcibly);
    all().filter(Life::isAlive).forEach(Life::kill);
    broker.close();
  }
}

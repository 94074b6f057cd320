package dev.millrace.examples.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.examples.crash.BrokerProcess;
import dev.millrace.examples.crash.JavaProcess;
import dev.millrace.kafka.embedded.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// The two containers of an application on a Kafka of its own, with its input and results. Whatever
/// is waited for, results are compared meanwhile, and no process may end by itself.
final class Containers implements AutoCloseable {
  static final int COUNT = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int SIGTERM = 128 + 15;
  private static final Set<Integer> ENDED = Set.of(ExitCode.DONE, SIGTERM);

  private final Path directory;
  private final BrokerProcess broker;
  private final VisitLoad load;
  private final Results results;
  private final JavaProcess[] processes = new JavaProcess[COUNT];
  private int lives;

  Containers(Path directory, long seed) throws Exception {
    this.directory = directory;
    broker = new BrokerProcess(directory);
    load = new VisitLoad(broker.bootstrap(), seed);
    results = new Results(broker.bootstrap(), load);
  }

  String bootstrap() {
    return broker.bootstrap();
  }

  VisitLoad load() {
    return load;
  }

  Results results() {
    return results;
  }

  /// A file for the next process.
  Path file(String name) {
    return directory.resolve(name + "-" + lives++);
  }

  /// With what a process of a container is started.
  List<String> settings(int container) {
    return List.of(
        "--bootstrap=" + broker.bootstrap(),
        "--state.directory=" + state(container),
        "--change.accept=auto",
        "--commit.interval=50ms",
        "--memory.budget=4MB",
        "--state.flush-interval=500ms",
        // A process that is away longer than usual is to make nothing late.
        "--input.idle-after=10m");
  }

  private Path state(int container) {
    return directory.resolve("state-" + container);
  }

  JavaProcess process(int container) {
    return processes[container];
  }

  /// Takes over a process that was started.
  void started(int container, JavaProcess process) {
    assertEquals(null, processes[container]);
    processes[container] = process;
  }

  void kill(int container) {
    processes[container].kill();
    processes[container] = null;
  }

  /// Has a process end as it should.
  void end(int container) {
    JavaProcess process = processes[container];
    processes[container] = null;
    try (process) {
      process.ask();
      await("end of container " + container, () -> !process.isAlive());
      // It may have no job yet, which would end in an orderly way.
      assertTrue(ENDED.contains(process.await(0)), process::errors);
    }
  }

  /// Waits for a process that must be refused, and ends with a message.
  ///
  /// @param said what the message must contain
  void refused(JavaProcess started, String... said) {
    try (JavaProcess process = started) {
      await("refusal", () -> !process.isAlive());
      assertEquals(ExitCode.USAGE, process.await(0), process::errors);
      for (String each : said) {
        assertTrue(process.errors().contains(each), process::errors);
      }
    }
  }

  /// Lets a process of a command end, if it is not to halt.
  void deploy(String what, Halting.Point point) {
    try (JavaProcess process =
        new JavaProcess(
            "64m",
            file("deploy"),
            DeployProcess.class,
            List.of(broker.bootstrap(), Version.NAME, what, point.toString()))) {
      if (point == Halting.Point.NOWHERE) {
        await("end of " + what, () -> !process.isAlive());
        assertEquals(ExitCode.DONE, process.await(0), process::errors);
      } else {
        awaitHalt(process, point);
      }
    }
  }

  void awaitHalt(JavaProcess process, Halting.Point point) {
    await("point " + point, () -> process.hasPrinted() || !process.isAlive());
    assertTrue(process.hasPrinted(), () -> "It never came to " + point + ". " + process.errors());
  }

  void await(String what, BooleanSupplier so) {
    Patience.await(
        what,
        PATIENCE,
        () -> {
          results.read();
          areAlive();
          return so.getAsBoolean();
        });
  }

  private void areAlive() {
    for (JavaProcess process : processes) {
      assertTrue(process == null || process.isAlive(), () -> process.errors());
    }
  }

  void live(long millis) {
    long until = System.nanoTime() + Duration.ofMillis(millis).toNanos();
    await("some time", () -> System.nanoTime() - until >= 0);
  }

  /// Waits until there are results of visits that come from now on.
  void awaitResults(boolean withRooms) {
    Map<String, Long> now = load.last();
    await(
        "visit of each user",
        () ->
            load.last().entrySet().stream()
                .allMatch(each -> each.getValue() > now.get(each.getKey())));
    Map<String, Long> last = load.last();
    await("result of each user", () -> results.have(last, withRooms));
  }

  /// Deletes what a container that was killed has on its disk.
  void loseDisk(int container) throws IOException {
    try (Stream<Path> files = Files.walk(state(container))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /// Ends the visits, waits for all results, and ends the processes.
  void endAll(boolean withRooms) throws Exception {
    Map<String, Long> windows = load.end();
    Map<String, Long> last = load.last();
    await("last results", () -> results.have(last, withRooms) && results.haveWindows(windows));
    for (int container = 0; container < COUNT; container++) {
      end(container);
    }
    results.read();
    assertTrue(results.have(last, withRooms));
    assertEquals(windows.size(), results.windows());
  }

  @Override
  public void close() throws Exception {
    for (JavaProcess process : processes) {
      if (process != null) {
        process.close();
      }
    }
    results.close();
    load.close();
    broker.close();
  }
}

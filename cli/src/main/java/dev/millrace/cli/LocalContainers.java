package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps several processes of an application alive on this host, until their input ends or this one
/// is stopped. What they print is printed with their numbers in front.
///
/// A process that was asked to restart is started again at once. One that ends because of something
/// that a start does not mend is not started again; any other is, after a pause that grows as long
/// as it does not live for a minute.
final class LocalContainers {
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration LONG_LIFE = Duration.ofMinutes(1);

  private static final Set<Integer> FINAL =
      Set.of(ExitCode.DONE, ExitCode.USAGE, ExitCode.BAD_INPUT, ExitCode.TAKEN);

  /// The status of a JVM that was asked to end.
  private static final int SIGTERM = 128 + 15;

  private final List<String> command;
  private final PrintStream out;
  private final PrintStream err;
  private final CountDownLatch stop = new CountDownLatch(1);

  /// By the number of the container.
  private final TreeMap<Integer, Process> processes = new TreeMap<>();

  private final TreeMap<Integer, Integer> statuses = new TreeMap<>();

  /// The threads that keep them alive; each one until its container has ended for good.
  private final TreeMap<Integer, Thread> keepers = new TreeMap<>();

  /// Those that were asked to end because fewer are wanted.
  private final TreeSet<Integer> ending = new TreeSet<>();

  private int wanted;

  /// @param command of each process
  LocalContainers(List<String> command, PrintStream out, PrintStream err) {
    this.command = command;
    this.out = out;
    this.err = err;
  }

  /// Returns the command by which this JVM runs a main class with other arguments.
  ///
  /// @param options of this JVM
  static List<String> command(List<String> options, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(
        Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java").toString());
    // Of a debugger's port there is only one.
    options.stream().filter(each -> !each.startsWith("-agentlib:jdwp")).forEach(command::add);
    command.addAll(
        List.of(
            "-cp", Objects.requireNonNull(System.getProperty("java.class.path")), main.getName()));
    command.addAll(arguments);
    return command;
  }

  /// Starts or ends some, in order, so that there are as many. Those that have ended for good, as
  /// when their input has ended, are not started again. Thread-safe.
  synchronized void want(int count) {
    int before = wanted;
    wanted = count;
    for (int number = before + 1; number <= count; number++) {
      int container = number;
      keepers.computeIfAbsent(
          number,
          _ -> Thread.ofPlatform().name("container-" + container).start(() -> keep(container)));
    }
    processes
        .tailMap(count, false)
        .forEach((number, process) -> {
          ending.add(number);
          process.destroy();
        });
  }

  /// Returns how many are to be there. Thread-safe.
  synchronized int wanted() {
    return wanted;
  }

  /// Runs as many as are wanted until all have ended; a signal stops them.
  ///
  /// @return 0 if all have ended in order; else the status of one that has not
  int run() throws InterruptedException {
    Thread onSignal = new Thread(() -> Runtime.getRuntime().halt(stop()), "stop");
    Runtime.getRuntime().addShutdownHook(onSignal);
    join();
    try {
      Runtime.getRuntime().removeShutdownHook(onSignal);
    } catch (IllegalStateException _) {
      onSignal.join(); // the JVM is going down; the hook says how
    }
    return status();
  }

  private void join() throws InterruptedException {
    for (Thread keeper = aKeeper(); keeper != null; keeper = aKeeper()) {
      keeper.join();
    }
  }

  private synchronized @Nullable Thread aKeeper() {
    Map.Entry<Integer, Thread> first = keepers.firstEntry();
    return first == null ? null : first.getValue();
  }

  private int stop() {
    synchronized (this) {
      stop.countDown();
      processes.values().forEach(Process::destroy);
    }
    try {
      join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return status();
  }

  private synchronized int status() {
    return statuses.values().stream().filter(each -> each != 0).findFirst().orElse(ExitCode.DONE);
  }

  private void keep(int container) {
    Duration pause = SHORTEST_PAUSE;
    try {
      while (true) {
        long startedNanos = System.nanoTime();
        Process process = start(container);
        if (process == null) {
          return;
        }
        int status = process.waitFor();
        Next next = ended(container, status);
        if (next == Next.NOTHING) {
          return;
        }
        if (System.nanoTime() - startedNanos > LONG_LIFE.toNanos() || next == Next.AT_ONCE) {
          pause = SHORTEST_PAUSE;
        }
        if (next == Next.AT_ONCE) {
          continue;
        }
        err.println(
            "Container %d has ended with status %d, and is started again in %d s."
                .formatted(container, status, pause.toSeconds()));
        stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        pause = pause.multipliedBy(2);
        pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
      }
    } catch (IOException e) {
      err.println("Container %d cannot be started: %s".formatted(container, e.getMessage()));
      failed(container);
    } catch (InterruptedException _) {
      failed(container);
      Thread.currentThread().interrupt();
    }
  }

  /// Returns the process; null if it is to end.
  private synchronized @Nullable Process start(int container) throws IOException {
    if (isOver(container)) {
      keepers.remove(container);
      return null;
    }
    Process process = new ProcessBuilder(command).start();
    process.getOutputStream().close();
    processes.put(container, process);
    forward(container, process.getInputStream(), out::println);
    forward(container, process.getErrorStream(), err::println);
    return process;
  }

  /// What is to be done about a container that has ended.
  private enum Next {
    NOTHING,
    /// It is started, because it is wanted again or has ended to be restarted.
    AT_ONCE,
    /// It is started after a pause.
    SOON
  }

  private synchronized Next ended(int container, int status) {
    processes.remove(container);
    boolean asked = ending.remove(container) || stop.getCount() == 0;
    boolean restarts = status == ExitCode.RESTART;
    boolean inOrder = restarts || (asked && status == SIGTERM); // it had no job yet
    statuses.put(container, inOrder ? ExitCode.DONE : status);
    if (isOver(container) || (!asked && FINAL.contains(status))) {
      keepers.remove(container);
      return Next.NOTHING;
    }
    if (restarts) {
      err.println("Container %d is restarted.".formatted(container));
    }
    return asked || restarts ? Next.AT_ONCE : Next.SOON;
  }

  private synchronized void failed(int container) {
    keepers.remove(container);
    statuses.put(container, ExitCode.FAILED);
  }

  /// Whether a container is to end.
  private boolean isOver(int container) {
    return stop.getCount() == 0 || container > wanted;
  }

  private static void forward(int container, InputStream said, Consumer<String> to) {
    Thread.ofVirtual()
        .start(() -> {
          try (BufferedReader lines =
              new BufferedReader(new InputStreamReader(said, StandardCharsets.UTF_8))) {
            lines.lines().forEach(line -> to.accept(container + " | " + line));
          } catch (IOException | UncheckedIOException _) {
            // It has ended in the middle of a line.
          }
        });
  }
}

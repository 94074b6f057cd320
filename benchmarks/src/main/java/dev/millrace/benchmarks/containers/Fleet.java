package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Compilers;
import dev.millrace.benchmarks.process.LauncherOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// The containers of the application, a process each. Each has a slot, which keeps its state
/// directory when it is started again. Used by one thread.
final class Fleet implements AutoCloseable {
  private static final Duration STOP = Duration.ofMinutes(1);

  private final String bootstrap;
  private final Path directory;
  private final Options options;
  private final Decided decided;
  private final SortedMap<Integer, Child> running = new TreeMap<>();
  private final Map<Long, String> names = new TreeMap<>();
  private final Set<String> drained = new TreeSet<>();

  /// How containers are started.
  ///
  /// @param workers of each
  /// @param standbys of each task
  /// @param apart whether each slot has a state directory of its own, as on a host of its own; all
  ///   share one otherwise
  /// @param intervalMillis between commits
  /// @param heapMegabytes of each
  record Options(int workers, int standbys, boolean apart, int intervalMillis, int heapMegabytes) {
    /// For caches and buffers, besides the heap and RocksDB's own.
    private static final long BUDGET_BYTES = 48L << 20;
  }

  Fleet(String bootstrap, Path directory, Options options, Decided decided) {
    this.bootstrap = bootstrap;
    this.directory = directory;
    this.options = options;
    this.decided = decided;
  }

  /// Starts a container, and does not wait.
  void start(int slot) {
    running.put(slot, process(slot, bootstrap, directory, options));
  }

  /// Starts a container that nobody follows.
  static Child process(int slot, String bootstrap, Path directory, Options options) {
    return Child.start(
        "container-" + slot,
        Program.of(
            ContainerMain.class,
            Stream.concat(
                    Stream.of(
                        "-Xms32m",
                        "-Xmx%dm".formatted(options.heapMegabytes),
                        "-XX:+UseSerialGC",
                        Compilers.FAST_ONLY),
                    LauncherOptions.ofThisProcess().options(true).stream())
                .toArray(String[]::new)),
        List.of(
            bootstrap,
            directory.resolve(options.apart ? "state-" + slot : "state").toString(),
            Integer.toString(options.workers),
            Integer.toString(options.standbys),
            Long.toString(Options.BUDGET_BYTES),
            Integer.toString(options.intervalMillis)),
        directory);
  }

  /// Ends a container as `kill -9` does.
  void kill(int slot) throws InterruptedException {
    child(slot).kill();
    running.remove(slot);
  }

  /// Has a container end in order, as SIGTERM does, and waits until it has.
  void stop(int slot) throws InterruptedException, TimeoutException {
    child(slot).stop(STOP);
    running.remove(slot);
  }

  /// Returns the process in a slot.
  Child child(int slot) {
    Child child = running.get(slot);
    if (child == null) {
      throw new IllegalStateException("Container %d does not run.".formatted(slot));
    }
    return child;
  }

  Collection<Child> living() {
    return new ArrayList<>(running.values());
  }

  /// Returns the name of the container in a slot; empty if it has not said anything yet.
  String name(int slot) {
    return name(child(slot));
  }

  private String name(Child child) {
    String known = names.getOrDefault(child.pid(), "");
    if (known.isEmpty() && !child.told("started").isEmpty()) {
      known = decided.nameOf(child.pid());
      if (!known.isEmpty()) {
        names.put(child.pid(), known);
      }
    }
    return known;
  }

  /// Returns the names of the containers that run and are not drained; one is empty while one has
  /// not said anything.
  Set<String> names() {
    Set<String> all = new TreeSet<>();
    running.values().forEach(each -> all.add(name(each)));
    all.removeAll(drained);
    return all;
  }

  /// Has the tasks of a container go to others, or lets it have tasks again.
  void drain(int slot, boolean yes) {
    String name = name(slot);
    decided.drain(name, yes);
    if (yes) {
      drained.add(name);
    } else {
      drained.remove(name);
    }
  }

  /// Returns the processor time of all that run.
  Duration cpu() {
    return running.values().stream().map(Child::cpu).reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() {
    running.values().forEach(Child::askToEnd);
    running.values().forEach(Child::close);
    running.clear();
  }
}

package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Decided.Change;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.internal.cluster.place.Seat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The application at work in containers under a load, on a Kafka of its own, with all that watches
/// it. Used by one thread.
final class Scene implements AutoCloseable {
  /// How long anything may take before something is wrong.
  static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final long LOOK_MILLIS = 5;

  /// How long nothing must have been decided until all is taken as settled.
  private static final Duration QUIET = Duration.ofMillis(1_500);

  private static final Duration ALIVE = Duration.ofMillis(700);

  private final Setting setting;
  private final Consumer<String> progress;
  private final Cluster cluster;
  private final Expected expected;
  private final Load load;
  private final Arrivals arrivals;
  private final Decided decided;
  private final Fleet fleet;
  private boolean loaded;

  /// What is at work.
  ///
  /// @param containers at the start
  /// @param keys of the state, about 150 bytes each
  /// @param rate events a second
  /// @param fleet how each container is started
  record Setting(int containers, int partitions, int keys, int rate, Fleet.Options fleet) {}

  private Scene(Setting setting, Path directory, Cluster cluster, Consumer<String> progress)
      throws InterruptedException, ExecutionException {
    this.setting = setting;
    this.progress = progress;
    this.cluster = cluster;
    String bootstrap = cluster.bootstrap();
    Producing.createTopic(bootstrap, CountedEvents.INPUT, setting.partitions);
    Producing.createTopic(bootstrap, CountedEvents.OUTPUT, setting.partitions);
    expected = new Expected(setting.keys);
    load = new Load(bootstrap, CountedEvents.INPUT, expected);
    arrivals = new Arrivals(bootstrap, CountedEvents.OUTPUT, setting.partitions, expected);
    decided = new Decided(bootstrap, CountedEvents.NAME);
    fleet = new Fleet(bootstrap, directory, setting.fleet, decided);
  }

  /// Starts Kafka and all containers, fills the state and waits until all is counted and settled.
  /// The load is not there yet.
  static Scene open(Setting setting, Path directory, Consumer<String> progress)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    Files.createDirectories(directory);
    Cluster cluster = new Cluster(directory);
    Scene scene;
    try {
      scene = new Scene(setting, directory, cluster, progress);
    } catch (InterruptedException | ExecutionException | RuntimeException e) { // outermost: closes
      cluster.close();
      throw e;
    }
    try {
      scene.fill();
      return scene;
    } catch (InterruptedException | TimeoutException | RuntimeException e) { // outermost: closes
      scene.close();
      throw e;
    }
  }

  private void fill() throws InterruptedException, TimeoutException {
    for (int slot = 0; slot < setting.containers; slot++) {
      fleet.start(slot);
    }
    progress.accept("filling the state with %,d keys".formatted(setting.keys));
    load.fill(sent -> {});
    awaitSettled();
    // Each partition goes in order, so once it has a row of these, its state is there.
    load.burst(200 * setting.partitions);
    awaitAnswered(0);
  }

  /// Lets events come in at the rate from now on, until [#endLoad].
  void beginLoad() throws InterruptedException, TimeoutException {
    load.begin(setting.rate);
    loaded = true;
    awaitSettled();
  }

  /// Ends the load, waits until all is counted, and returns what is wrong of it.
  Expected.Wrong endLoad() throws InterruptedException, TimeoutException {
    load.stop();
    loaded = false;
    try {
      awaitAnswered(0);
    } catch (TimeoutException e) {
      progress.accept(String.valueOf(e.getMessage())); // what is missing is told as lost
    }
    Thread.sleep(500); // what is there twice
    return expected.wrong();
  }

  Setting setting() {
    return setting;
  }

  Fleet fleet() {
    return fleet;
  }

  Arrivals arrivals() {
    return arrivals;
  }

  Decided decided() {
    return decided;
  }

  Load load() {
    return load;
  }

  Expected expected() {
    return expected;
  }

  Cluster cluster() {
    return cluster;
  }

  /// Returns the processor seconds of all containers and Kafka.
  double allCpu() {
    return fleet.cpu().plus(cluster.cpu()).toNanos() / 1e9;
  }

  /// Returns the processor seconds of a container.
  double cpu(int slot) {
    return fleet.child(slot).cpu().toNanos() / 1e9;
  }

  /// Ends to read rows and decisions, so that Kafka has only requests of containers.
  void stopWatching() {
    decided.close();
    arrivals.close();
  }

  void say(String what) {
    progress.accept(what);
  }

  /// Returns the process of each task.
  Map<Integer, String> owners() {
    Map<Integer, String> owners = new TreeMap<>();
    decided.seats().forEach((task, seat) -> owners.put(task, seat.owner()));
    return owners;
  }

  /// Returns the tasks of a process, which have the numbers of their partitions.
  Set<Integer> tasksOf(String name) {
    Set<Integer> tasks = new TreeSet<>();
    decided
        .seats()
        .forEach((task, seat) -> {
          if (seat.owner().equals(name)) {
            tasks.add(task);
          }
        });
    return tasks;
  }

  /// Waits until no more than so many events have no row.
  void awaitAnswered(int atMost) throws InterruptedException, TimeoutException {
    await(
        () -> expected.events() - expected.answered() <= atMost,
        () -> "%,d of %,d events have a row".formatted(expected.answered(), expected.events()));
  }

  /// Waits until each living container that is not drained has its share, nothing is being moved,
  /// and, under load, each partition has rows.
  void awaitSettled() throws InterruptedException, TimeoutException {
    await(this::isSettled, () -> "seats " + decided.seats() + ", living " + fleet.names());
  }

  private boolean isSettled() {
    Map<Integer, Seat> seats = decided.seats();
    Set<String> wanted = fleet.names();
    if (seats.size() < setting.partitions || wanted.contains("")) {
      return false;
    }
    Map<String, Integer> shares = new TreeMap<>();
    wanted.forEach(name -> shares.put(name, 0));
    int standbys = Math.min(setting.fleet.standbys(), wanted.size() - 1);
    for (Seat seat : seats.values()) {
      if (!seat.heir().isEmpty() || seat.giving() || seat.followers().size() < standbys) {
        return false;
      }
      shares.merge(seat.owner(), 1, Integer::sum);
    }
    long now = System.nanoTime();
    return shares.keySet().equals(wanted)
        && least(shares.values()) >= setting.partitions / (2 * shares.size())
        && decided.since(now - QUIET.toNanos()).isEmpty()
        && (!loaded || hasRows(now - ALIVE.toNanos()));
  }

  private static int least(Collection<Integer> values) {
    return values.stream().mapToInt(each -> each).min().orElse(0);
  }

  private boolean hasRows(long since) {
    for (int partition = 0; partition < setting.partitions; partition++) {
      if (arrivals.firstAfter(partition, since) == Long.MAX_VALUE) {
        return false;
      }
    }
    return true;
  }

  /// Waits until some tasks have an owner that was decided on since a moment, and rows behind that.
  ///
  /// @return by task, the decision
  Map<Integer, Change> awaitMoved(Set<Integer> tasks, long since)
      throws InterruptedException, TimeoutException {
    Map<Integer, Change> moved = new TreeMap<>();
    await(
        () -> {
          for (Change each : decided.since(since)) {
            if (tasks.contains(each.task()) && isNewOwner(each)) {
              moved.put(each.task(), each);
            }
          }
          return moved.keySet().equals(tasks)
              && moved.values().stream()
                  .allMatch(
                      each -> arrivals.firstAfter(each.task(), each.nanos()) < Long.MAX_VALUE);
        },
        () -> "of tasks %s, %s have a new owner".formatted(tasks, moved.keySet()));
    return moved;
  }

  /// Returns whether a task is to be taken by a process: by another one, or by the same one anew.
  private static boolean isNewOwner(Change change) {
    return !change.now().owner().isEmpty()
        && (change.isOfOwner() || change.now().version() != change.before().version());
  }

  /// Returns the longest times without a row in some partitions between a moment and now.
  List<Timeline.Gap> gaps(Collection<Integer> partitions, long from, long to) {
    List<Timeline.Gap> gaps = new ArrayList<>();
    partitions.forEach(each -> gaps.add(arrivals.longest(each, from, to)));
    return gaps;
  }

  /// Waits until something is so.
  void await(BooleanSupplier done, Supplier<String> what)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!done.getAsBoolean()) {
      arrivals.requireRead();
      fleet.living().forEach(Child::requireAlive);
      if (System.nanoTime() - end > 0) {
        throw new TimeoutException("After %s: %s.".formatted(PATIENCE, what.get()));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  @Override
  public void close() {
    load.close();
    fleet.close();
    decided.close();
    arrivals.close();
    cluster.close();
  }
}

package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.ContainersBenchmark.Setup;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Producing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Any engine at work in processes under a load, watched by nothing but its rows. Used by one
/// thread.
final class PeerScene implements AutoCloseable {
  private static final Duration STOP = Duration.ofMinutes(1);
  private static final long LOOK_MILLIS = 20;

  /// What is done is over once no partition was without rows for longer than the second of these
  /// within the first, but not before as long as a death may stay unnoticed.
  private static final Duration STEADY = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LEAST = Duration.ofSeconds(15);

  private final Contender contender;
  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;
  private final Cluster cluster;
  private final Expected expected;
  private final Load load;
  private final Arrivals arrivals;
  private final Map<Integer, Child> running = new TreeMap<>();

  /// What something costs.
  ///
  /// @param longest seconds in which a partition had no rows
  /// @param lost the mean of that over all partitions: seconds of the whole throughput
  record Loss(double longest, double lost) {
    static final Loss NONE = new Loss(Double.NaN, Double.NaN);
  }

  /// Does something to a process.
  interface Deed {
    void run() throws InterruptedException, TimeoutException;
  }

  private PeerScene(
      Contender contender, Setup setup, Path directory, Cluster cluster, Consumer<String> progress)
      throws InterruptedException, ExecutionException {
    this.contender = contender;
    this.setup = setup;
    this.directory = directory;
    this.cluster = cluster;
    this.progress = progress;
    String bootstrap = cluster.bootstrap();
    Producing.createTopic(bootstrap, CountedEvents.INPUT, setup.partitions());
    Producing.createTopic(bootstrap, CountedEvents.OUTPUT, setup.partitions());
    expected = new Expected(setup.keys());
    load = new Load(bootstrap, CountedEvents.INPUT, expected);
    arrivals = new Arrivals(bootstrap, CountedEvents.OUTPUT, setup.partitions(), expected);
  }

  static PeerScene open(Contender contender, Setup setup, Path directory, Consumer<String> progress)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    Files.createDirectories(directory);
    Cluster cluster = new Cluster(directory, contender.broker());
    try {
      return new PeerScene(contender, setup, directory, cluster, progress);
    } catch (InterruptedException | ExecutionException | RuntimeException e) { // outermost: closes
      cluster.close();
      throw e;
    }
  }

  void start(int slot) {
    running.put(slot, contender.start(slot, cluster.bootstrap(), directory, setup));
  }

  void stop(int slot) throws InterruptedException, TimeoutException {
    child(slot).stop(STOP);
    running.remove(slot);
  }

  void kill(int slot) throws InterruptedException {
    child(slot).kill();
    running.remove(slot);
  }

  private Child child(int slot) {
    Child child = running.get(slot);
    if (child == null) {
      throw new IllegalStateException("Process %d does not run.".formatted(slot));
    }
    return child;
  }

  /// Fills the state, and goes on with the load until it is steady.
  void fill() throws InterruptedException, TimeoutException {
    progress.accept("filling the state with %,d keys".formatted(setup.keys()));
    load.fill(sent -> {});
    load.begin(setup.rate());
    awaitSteady(System.nanoTime());
  }

  /// Does something, and returns what it costs until all is steady again.
  Loss loss(Deed deed) throws InterruptedException, TimeoutException {
    long begun = System.nanoTime();
    deed.run();
    awaitSteady(begun);
    long now = System.nanoTime();
    double longest = 0;
    double sum = 0;
    for (int partition = 0; partition < setup.partitions(); partition++) {
      double seconds = arrivals.longest(partition, begun, now).seconds();
      longest = Math.max(longest, seconds);
      sum += seconds;
    }
    progress.accept("a partition without rows for %.2f s at most".formatted(longest));
    return new Loss(longest, sum / setup.partitions());
  }

  private void awaitSteady(long since) throws InterruptedException, TimeoutException {
    await(() -> System.nanoTime() - since > LEAST.toNanos() && isSteady(), "rows are not steady");
  }

  private boolean isSteady() {
    long now = System.nanoTime();
    for (int partition = 0; partition < setup.partitions(); partition++) {
      Timeline.Gap gap = arrivals.longest(partition, now - STEADY.toNanos(), now);
      if (gap.to() - gap.from() > PAUSE.toNanos()) {
        return false;
      }
    }
    return expected.events() - expected.answered() < 2 * setup.rate();
  }

  /// Ends the load, and returns what is wrong of the rows.
  Expected.Wrong end() throws InterruptedException, TimeoutException {
    load.stop();
    await(() -> expected.answered() == expected.events(), "not all events have a row");
    Thread.sleep(500); // what is there twice
    return expected.wrong();
  }

  private void await(BooleanSupplier done, String what)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + Scene.PATIENCE.toNanos();
    while (!done.getAsBoolean()) {
      arrivals.requireRead();
      running.values().forEach(Child::requireAlive);
      if (System.nanoTime() - end > 0) {
        throw new TimeoutException(
            "%s: after %s, %s; %,d of %,d events have one."
                .formatted(
                    contender.title(),
                    Scene.PATIENCE,
                    what,
                    expected.answered(),
                    expected.events()));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  @Override
  public void close() {
    load.close();
    running.values().forEach(Child::askToEnd);
    running.values().forEach(Child::close);
    arrivals.close();
    cluster.close();
  }
}

package dev.millrace.benchmarks.breakeven;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Pace;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.process.Sending;
import dev.millrace.benchmarks.process.Topic;
import dev.millrace.benchmarks.scenarios.Check;
import dev.millrace.benchmarks.scenarios.Distribution;
import dev.millrace.benchmarks.scenarios.Event;
import dev.millrace.benchmarks.scenarios.ExpectedCounts;
import dev.millrace.benchmarks.scenarios.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Measures one size of entries once: fills a state, has a snapshot of all of it taken, and lets
/// changes come at one rate after the other.
final class Trial implements AutoCloseable {
  static final int PARTITIONS = 4;
  private static final Duration LINGER = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /// Longer than a commit takes to come.
  private static final Duration QUIET = Duration.ofMillis(1_500);

  private static final Duration LOOK = Duration.ofMillis(20);

  /// Changes that give every task something to flush, and longer than it takes to flush it.
  private static final long FEW = 1_000;

  private static final Duration FLUSHED = Duration.ofSeconds(4);

  private static final Map<String, String> NEVER_COMPACTED =
      Map.of("min.compaction.lag.ms", Long.toString(Long.MAX_VALUE));

  private final Cluster cluster;
  private final Task task;
  private final Path directory;
  private final Consumer<String> progress;
  private final int[] counts;
  private final LongUnaryOperator keyOf;
  private final Sending sending;
  private final Topic changelog;
  private long sent;

  /// What was sent before the process at work was started.
  private long before;

  private long changedNanos = System.nanoTime() - FLUSHED.toNanos();

  /// @param task whose input and output do not exist yet
  /// @param directory for what the job's processes say
  Trial(Cluster cluster, Task task, int keys, Path directory, Consumer<String> progress)
      throws InterruptedException, ExecutionException, TimeoutException {
    this.cluster = cluster;
    this.task = task;
    this.directory = directory;
    this.progress = progress;
    counts = new int[keys];
    keyOf = Distribution.UNIFORM.keyOf(keys);
    Topics.create(cluster.bootstrap(), task.input(), PARTITIONS);
    Topics.create(cluster.bootstrap(), task.output(), PARTITIONS);
    sending = new Sending(cluster.bootstrap(), LINGER);
    changelog = new Topic(cluster.bootstrap(), task.changelog());
  }

  /// @param rates changes a second, for so many seconds each
  /// @throws IllegalStateException if the job fails, or has counted wrong
  Measured measure(List<Integer> rates, int seconds)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    try (Child child = start(task, "filled")) {
      awaitRunning(child);
      changelog.set(NEVER_COMPACTED);
      for (int key = 0; key < counts.length; key++) {
        send(key, false);
      }
      awaitProcessed(child);
      var _ = awaitQuiet();
    }
    long checkpointBytes;
    try (Child child = start(task.withSnapshots(), "checkpointed")) {
      awaitRunning(child);
      checkpointBytes = checkpoint(child);
    }
    try (Child child = start(task, "changed")) {
      awaitRunning(child);
      List<Changelog.Point> points = new ArrayList<>();
      for (int rate : rates) {
        points.add(point(child, rate, seconds));
      }
      check(child);
      return new Measured(checkpointBytes, new Changelog(points), child.peakBytes());
    }
  }

  private Child start(Task what, String phase) {
    return Child.start(
        task.name() + "-" + phase,
        Program.of(CountingJob.class, "-Xmx2g", "-XX:+UseSerialGC"),
        what.arguments(),
        directory);
  }

  private void awaitRunning(Child child) throws InterruptedException, TimeoutException {
    var _ = child.await("running", PATIENCE);
    before = sent;
  }

  private void send(int key, boolean asks) {
    byte[] value = new byte[Event.HEAD_BYTES];
    Event.head(value, asks, key, sent++);
    sending.send(task.input(), Event.toBytes(key), value);
    if (!asks) {
      counts[key]++;
    }
  }

  /// Changes a key; which one is in no order.
  private void change() {
    send((int) keyOf.applyAsLong(sent), false);
  }

  private void awaitProcessed(Child child) throws InterruptedException, TimeoutException {
    sending.finish();
    long wanted = sent - before;
    await(
        child,
        () -> child.number("processed") >= wanted,
        () -> "%,d of %,d records are processed".formatted(child.number("processed"), wanted));
  }

  private void await(Child child, BooleanSupplier condition, Supplier<String> what)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      child.requireAlive();
      if (System.nanoTime() > end) {
        throw new TimeoutException(
            "%s: %s after %s; the last output of the job: %s"
                .formatted(task.name(), what.get(), PATIENCE, child.lastErrors()));
      }
      progress.accept(task.name() + ": " + what.get());
      Thread.sleep(LOOK);
    }
  }

  /// Waits until all is committed: the changelog does not grow any more.
  ///
  /// @return its bytes
  private long awaitQuiet() throws InterruptedException, ExecutionException {
    long last = -1;
    long now = changelog.bytes();
    while (now != last) {
      last = now;
      Thread.sleep(QUIET);
      now = changelog.bytes();
    }
    return now;
  }

  /// Lets each task take a snapshot: at a flush, but not at its first.
  ///
  /// @return bytes of all files of them
  private long checkpoint(Child child) throws InterruptedException, TimeoutException, IOException {
    await(
        child,
        () -> {
          boolean taken = child.number("snapshots") >= PARTITIONS;
          if (!taken && System.nanoTime() - changedNanos > FLUSHED.toNanos()) {
            changedNanos = System.nanoTime();
            for (long number = 0; number < FEW; number++) {
              change();
            }
          }
          return taken;
        },
        () -> "%d of %d tasks have a snapshot".formatted(child.number("snapshots"), PARTITIONS));
    awaitProcessed(child);
    try (Stream<Path> files = Files.walk(task.checkpoints())) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private Changelog.Point point(Child child, int rate, int seconds)
      throws InterruptedException, ExecutionException, TimeoutException {
    progress.accept("%s: %,d changes a second".formatted(task.name(), rate));
    long changes = (long) rate * seconds;
    long from = awaitQuiet();
    Duration cpu = child.cpu();
    long start = System.nanoTime();
    Pace.keep(changes, rate, _ -> change());
    double took = (System.nanoTime() - start) / 1e9;
    awaitProcessed(child);
    long to = awaitQuiet();
    return new Changelog.Point(
        changes / took, (to - from) / took, child.cpu().minus(cpu).toNanos() / 1e3 / changes);
  }

  private void check(Child child) throws TimeoutException {
    for (int key = 0; key < counts.length; key++) {
      send(key, true);
    }
    sending.finish();
    try (Check check =
        new Check(
            cluster.bootstrap(),
            task.output(),
            PARTITIONS,
            new ExpectedCounts(counts, counts.length, false))) {
      check.awaitAll(
          child::requireAlive,
          seen ->
              progress.accept(
                  "%s: checking, %,d of %,d".formatted(task.name(), seen, counts.length)));
      check.finish();
    }
  }

  /// Removes what there was.
  void clean() throws InterruptedException, ExecutionException, IOException {
    Producing.deleteTopics(cluster.bootstrap(), task.name() + "-");
    Directories.delete(task.state());
    Directories.delete(task.checkpoints());
  }

  @Override
  public void close() {
    sending.close();
    changelog.close();
  }
}

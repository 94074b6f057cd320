package dev.millrace.benchmarks.compaction;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Pace;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.process.Sending;
import dev.millrace.benchmarks.process.Topic;
import dev.millrace.benchmarks.scenarios.Check;
import dev.millrace.benchmarks.scenarios.Event;
import dev.millrace.benchmarks.scenarios.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Runs one case once: with topics and a process of its own, of which nothing is left.
final class Trial {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration CALM = Duration.ofSeconds(15);

  /// Of the producer of tuples.
  private static final Duration LINGER = Duration.ofMillis(10);

  private final Cluster cluster;
  private final Path directory;
  private final Consumer<String> progress;
  private int runs;

  Trial(Cluster cluster, Path directory, Consumer<String> progress) {
    this.cluster = cluster;
    this.directory = directory;
    this.progress = progress;
  }

  /// @param samples of the changelog's size
  /// @throws IllegalStateException if the job fails, or has counted wrong
  Run run(Case what, long tuples, int perSecond, int samples)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    String name = "windows-" + ++runs;
    Path here = Files.createDirectories(directory.resolve(name));
    Task task =
        new Task(
            cluster.bootstrap(),
            name,
            name + "-in",
            name + "-out",
            what.keeping(),
            here.resolve("state"));
    Topics.create(cluster.bootstrap(), task.input(), 1);
    Topics.create(cluster.bootstrap(), task.output(), 1);
    if (what.logging() == Logging.PER_UPDATE) {
      Topics.create(cluster.bootstrap(), task.changelog(), 1);
    }
    try (Topic changelog = new Topic(cluster.bootstrap(), task.changelog());
        Child child = Child.start(name, what.logging().program(), task.arguments(), here)) {
      var _ = child.await("running", PATIENCE);
      changelog.set(what.settings());
      cluster.awaitCalm(CALM);
      Tuples all = new Tuples(tuples, perSecond, Tuples.windowOf(System.currentTimeMillis()));
      Run run = measure(all, task, child, changelog, samples);
      check(all, task, child);
      return run;
    } finally {
      Producing.deleteTopics(cluster.bootstrap(), name + "-");
      Directories.delete(here.resolve("state"));
    }
  }

  private Run measure(Tuples tuples, Task task, Child child, Topic changelog, int samples)
      throws InterruptedException, ExecutionException {
    List<Long> sizes = new ArrayList<>();
    Duration jobBefore = child.cpu();
    Duration brokerBefore = cluster.cpu();
    long start = System.nanoTime();
    FutureTask<Boolean> sender = new FutureTask<>(() -> send(tuples, task), true);
    Thread.ofPlatform().daemon().name("tuples").start(sender);
    long every = TimeUnit.SECONDS.toNanos(tuples.count()) / tuples.perSecond() / samples;
    while (!sender.isDone() && sizes.size() < samples) {
      long due = start + every * (sizes.size() + 1);
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      child.requireAlive();
      sizes.add(changelog.bytes());
      progress.accept(
          "%s: %,d MB of changelog after %d s"
              .formatted(task.name(), sizes.getLast() >> 20, every * sizes.size() / 1_000_000_000));
    }
    sender.get();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Run(
        sizes,
        seconds,
        cluster.cpu().minus(brokerBefore).toNanos() / 1e9,
        child.cpu().minus(jobBefore).toNanos() / 1e9,
        child.peakBytes());
  }

  private static void send(Tuples tuples, Task task) {
    try (Sending sending = new Sending(task.bootstrap(), LINGER)) {
      Pace.keep(
          tuples.count(),
          tuples.perSecond(),
          number ->
              sending.send(task.input(), Event.toBytes(tuples.key(number)), tuples.value(number)));
      sending.send(task.input(), Event.toBytes(0), tuples.closing());
      sending.finish();
    }
  }

  private void check(Tuples tuples, Task task, Child child) throws TimeoutException {
    ExpectedWindows expected = new ExpectedWindows(tuples.startMillis(), tuples.counts());
    try (Check check = new Check(cluster.bootstrap(), task.output(), 1, expected)) {
      check.awaitAll(
          child::requireAlive,
          seen ->
              progress.accept(
                  "%s: checking, %,d of %,d windows"
                      .formatted(task.name(), seen, expected.records())));
      check.finish();
    }
  }
}

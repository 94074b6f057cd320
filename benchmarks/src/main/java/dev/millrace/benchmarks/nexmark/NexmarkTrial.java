package dev.millrace.benchmarks.nexmark;

import dev.millrace.benchmarks.nexmark.NexmarkRow.Run;
import dev.millrace.benchmarks.nexmark.NexmarkSetup.From;
import dev.millrace.benchmarks.nexmark.generator.Settings;
import dev.millrace.benchmarks.nexmark.model.Tally;
import dev.millrace.benchmarks.nexmark.peer.NexmarkWork;
import dev.millrace.benchmarks.nexmark.peer.NexmarkWork.Measured;
import dev.millrace.benchmarks.nexmark.query.Queries;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.process.Stretch;
import dev.millrace.benchmarks.process.Waiting;
import dev.millrace.benchmarks.scenarios.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Has one engine answer a query once: in a process, a directory and topics of its own, of which
/// nothing is left.
final class NexmarkTrial {
  private static final Duration CALM = Duration.ofSeconds(30);

  /// How long an engine may read nothing, or take for what is left when it has read all.
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final NexmarkSetup setup;
  private final Cluster cluster;
  private final Path directory;
  private final Consumer<String> progress;
  private int processes;

  /// What engines are asked.
  ///
  /// @param input the topic of the events; empty if each engine makes them
  /// @param expected what the query must give
  record Asked(String query, Settings events, String input, Tally expected) {}

  NexmarkTrial(NexmarkSetup setup, Cluster cluster, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.cluster = cluster;
    this.directory = directory;
    this.progress = progress;
  }

  /// Measures how fast an engine is, and checks what it has answered.
  ///
  /// @throws IllegalStateException if the engine fails, or has answered something wrong
  Run run(NexmarkEngine engine, Asked asked, String what)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    String name = "run-%d-%s-%s".formatted(++processes, engine.id(), asked.query);
    long events = asked.events.events();
    Path here = Files.createDirectories(directory.resolve(name));
    boolean isKafka = setup.from() == From.KAFKA;
    NexmarkWork work =
        new NexmarkWork(
            name,
            asked.query,
            asked.events,
            isKafka ? new NexmarkWork.Topics(asked.input, name + "-out") : NexmarkWork.Topics.NONE,
            cluster.bootstrap(),
            here.resolve("state"),
            here.resolve("saved"),
            NexmarkBenchmark.THREADS,
            NexmarkBenchmark.SPLITS,
            setup.cacheBytes(),
            new Measured(setup.rehearsalSeconds(), NexmarkBenchmark.warm(events)));
    if (isKafka) {
      createOutputs(work.topics().output());
    }
    cluster.awaitCalm(CALM);
    try (Child child = engine.start(work, setup.home(), setup.heapMb(), here)) {
      new Waiting(PATIENCE, "events", progress).awaitMeasured(child, events, what);
      Tally found =
          isKafka
              ? ResultTopic.tally(
                  cluster.bootstrap(),
                  work.topics().output(),
                  NexmarkBenchmark.SPLITS,
                  engine,
                  Queries.of(asked.query))
              : null;
      Run run = run(child, found);
      check(
          asked.expected,
          found == null ? child.number("sum") : found.sum(),
          found == null ? child.number("left") : found.left());
      return run;
    } finally {
      clean(name);
    }
  }

  /// Results have the times of their events, years ago; Kafka must not delete them for that.
  private void createOutputs(String output)
      throws InterruptedException, ExecutionException, TimeoutException {
    for (String topic : new String[] {output, output + "-rehearsal"}) {
      Topics.create(
          cluster.bootstrap(), topic, NexmarkBenchmark.SPLITS, Map.of("retention.ms", "-1"));
    }
  }

  private static Run run(Child child, @Nullable Tally found) {
    Stretch measured = Stretch.of(child);
    return new Run(
        measured.rate(),
        measured.cpuSecondsPerMillion(),
        child.peakBytes(),
        found == null ? child.number("results") : found.results(),
        child.told("version"),
        child.told("settings"));
  }

  /// Compares what is left of the results with what must be. Of results that come in pieces the
  /// number says nothing.
  private static void check(Tally expected, long sum, long left) {
    if (sum != expected.sum()) {
      throw new IllegalStateException(
          "The results are wrong: there are %,d with sum %x, and there should be %,d with sum %x"
              .formatted(left, sum, expected.left(), expected.sum()));
    }
  }

  private void clean(String name) throws InterruptedException, ExecutionException, IOException {
    Producing.deleteTopics(cluster.bootstrap(), name + "-");
    Directories.delete(directory.resolve(name));
  }
}

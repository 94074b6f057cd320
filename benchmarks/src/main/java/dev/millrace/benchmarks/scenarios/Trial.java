package dev.millrace.benchmarks.scenarios;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.PageCache;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.process.Stretch;
import dev.millrace.benchmarks.process.Waiting;
import dev.millrace.benchmarks.scenarios.Assignment.Measured;
import dev.millrace.benchmarks.scenarios.Row.Latency;
import dev.millrace.benchmarks.scenarios.Row.Run;
import dev.millrace.benchmarks.scenarios.ScenarioBenchmark.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs one engine once: in a process, directory and topic of its own, of which nothing is left.
final class Trial {
  private static final Duration CALM = Duration.ofSeconds(30);

  /// How long an engine may process nothing before it is taken for dead.
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final int PARTITIONS = ScenarioBenchmark.PARTITIONS;

  private final Setup setup;
  private final Cluster cluster;
  private final PageCache cache;
  private final Path directory;
  private final Consumer<String> progress;
  private int processes;

  Trial(Setup setup, Cluster cluster, PageCache cache, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.cluster = cluster;
    this.cache = cache;
    this.directory = directory;
    this.progress = progress;
  }

  /// Measures how fast an engine is, and checks what it has written.
  ///
  /// @param profile the file for a profile of it; null if none is wanted
  /// @throws IllegalStateException if the engine fails, or wrote something wrong
  Run rate(Contender engine, Scenario scenario, Input input, String what, @Nullable Path profile)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    Workload workload = input.workload();
    long warm = (long) (workload.records() * ScenarioBenchmark.WARM_SHARE);
    String name = nextName(engine);
    Assignment assignment =
        assignment(
            engine,
            scenario,
            name,
            workload.topic(),
            false,
            new Measured(setup.rehearsalSeconds(), warm, workload.records(), cluster.pid()));
    Topics.create(cluster.bootstrap(), assignment.output(), PARTITIONS);
    if (setup.rehearsalSeconds() > 0) {
      Topics.create(cluster.bootstrap(), assignment.rehearsal().output(), PARTITIONS);
    }
    prepare();
    Check.Expected expected =
        scenario == Scenario.PASS
            ? new ExpectedCopy(input.fingerprint(), PARTITIONS)
            : new ExpectedCounts(input.counts(), input.asked(), scenario == Scenario.EXCHANGE);
    try (Check check = new Check(cluster.bootstrap(), assignment.output(), PARTITIONS, expected)) {
      Run run;
      try (Child child = start(engine, assignment, name, profile)) {
        new Waiting(PATIENCE, "records", progress).awaitMeasured(child, input.all(), what);
        run = run(child);
        check.awaitAll(
            child::requireAlive,
            seen ->
                progress.accept(
                    "%s: checking, %,d of %,d".formatted(what, seen, expected.records())));
      }
      check.finish();
      return run;
    } finally {
      clean(assignment);
    }
  }

  /// Measures how long records take through an engine at a rate.
  Latency latency(Contender engine, Workload workload, double perSecond, boolean ofMaximum)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    String name = nextName(engine);
    String paced = name + "-paced";
    Assignment assignment =
        assignment(
            engine,
            Scenario.PASS,
            name,
            paced,
            true,
            new Measured(0, Long.MAX_VALUE, Long.MAX_VALUE, cluster.pid()));
    Topics.create(cluster.bootstrap(), paced, PARTITIONS);
    Topics.create(cluster.bootstrap(), assignment.output(), PARTITIONS);
    prepare();
    try (Child child = start(engine, assignment, name, null)) {
      String what = "%s: latency at %,.0f records a second".formatted(engine.id(), perSecond);
      return new Paced(
              cluster.bootstrap(),
              workload,
              paced,
              assignment.output(),
              setup.latencies().seconds())
          .measure(
              perSecond,
              ofMaximum,
              child::requireAlive,
              seen -> progress.accept("%s, %,d records".formatted(what, seen)));
    } finally {
      clean(assignment);
    }
  }

  private void prepare() throws InterruptedException, IOException {
    if (setup.pageCache()) {
      cache.fill(progress);
    }
    cluster.awaitCalm(CALM);
  }

  private String nextName(Contender engine) {
    return "run-%d-%s".formatted(++processes, engine.id());
  }

  private Assignment assignment(
      Contender engine,
      Scenario scenario,
      String name,
      String input,
      boolean soon,
      Measured measured) {
    Path here = directory.resolve(name);
    return new Assignment(
        cluster.bootstrap(),
        scenario,
        engine.mode(),
        input,
        name + "-out",
        here.resolve("state"),
        here.resolve("saved"),
        ScenarioBenchmark.THREADS,
        setup.cacheBytes(),
        soon,
        measured);
  }

  private Child start(Contender engine, Assignment assignment, String name, @Nullable Path profile)
      throws IOException {
    Path here = Files.createDirectories(directory.resolve(name));
    return engine.start(assignment, setup.home(), setup.heapMb(), here, profile);
  }

  private static Run run(Child child) {
    Stretch measured = Stretch.of(child);
    return new Run(
        measured.rate(),
        measured.cpuSecondsPerMillion(),
        child.number("broker") / 1e3 / measured.records(),
        child.peakBytes(),
        child.told("version"),
        child.told("settings"));
  }

  /// What others leave in topics of other names, such as Samza's checkpoints, is small.
  private void clean(Assignment assignment)
      throws InterruptedException, ExecutionException, IOException {
    String prefix = assignment.output().substring(0, assignment.output().length() - 4);
    Producing.deleteTopics(cluster.bootstrap(), prefix + "-");
    for (Assignment each : List.of(assignment, assignment.rehearsal())) {
      Directories.delete(each.state());
      Directories.delete(each.saved());
    }
  }
}

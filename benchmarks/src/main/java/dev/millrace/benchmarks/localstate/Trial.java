package dev.millrace.benchmarks.localstate;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Peers;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.process.Stretch;
import dev.millrace.benchmarks.process.Waiting;
import dev.millrace.benchmarks.report.Names;
import dev.millrace.benchmarks.scenarios.Check;
import dev.millrace.benchmarks.scenarios.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Runs one case once: in a process, directory and topic of its own, of which nothing is left.
final class Trial {
  private static final Duration CALM = Duration.ofSeconds(30);

  /// How long a job may process nothing before it is taken for dead.
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final List<String> JVM = List.of("-Xmx2g");

  private final LocalStateBenchmark.Setup setup;
  private final Cluster cluster;
  private final Path directory;
  private final Consumer<String> progress;
  private int runs;

  Trial(
      LocalStateBenchmark.Setup setup, Cluster cluster, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.cluster = cluster;
    this.directory = directory;
    this.progress = progress;
  }

  /// @throws IllegalStateException if the job fails, or wrote something wrong
  Run run(Access access, Storing storing, StateInput input, String what)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    String name = "run-%d-%s-%s".formatted(++runs, Names.of(access), Names.of(storing));
    Path here = Files.createDirectories(directory.resolve(name));
    StateTask task =
        new StateTask(
            cluster.bootstrap(),
            access,
            storing,
            input.topic(),
            name + "-out",
            here.resolve("state"),
            setup.cacheBytes(),
            input.before() + (long) (input.records() * LocalStateBenchmark.WARM_SHARE),
            input.before() + input.records());
    Topics.create(cluster.bootstrap(), task.output(), LocalStateBenchmark.PARTITIONS);
    cluster.awaitCalm(CALM);
    Check.Expected expected = input.expected().get();
    try (Check check =
        new Check(cluster.bootstrap(), task.output(), LocalStateBenchmark.PARTITIONS, expected)) {
      Run run;
      Child child = Child.start(name, program(storing), task.arguments(), here);
      try {
        new Waiting(PATIENCE, "records", progress).awaitMeasured(child, task.until(), what);
        run = run(child);
        check.awaitAll(
            child::requireAlive,
            seen ->
                progress.accept(
                    "%s: checking, %,d of %,d".formatted(what, seen, expected.records())));
      } finally {
        child.close();
        endStore(child);
      }
      check.finish();
      return run;
    } catch (IllegalStateException e) {
      throw new IllegalStateException("%s: %s".formatted(what, e.getMessage()), e);
    } finally {
      Producing.deleteTopics(cluster.bootstrap(), name + "-");
      Directories.delete(task.state());
    }
  }

  /// The job's process ends its store, unless it was ended itself.
  private static void endStore(Child child) {
    long pid = child.number("store-pid");
    if (pid != 0) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private Program program(Storing storing) {
    if (!storing.remote()) {
      return Program.of(StateJob.class, JVM.toArray(String[]::new));
    }
    Path module = setup.home().resolve("benchmarks").resolve("redis");
    return Peers.built(
        "The job with Redis", module, "dev.millrace.benchmarks.redis.RedisState", JVM);
  }

  private static Run run(Child child) {
    Stretch measured = Stretch.of(child);
    String[] slices = child.told("slices").split(" ");
    StoreUse from = StoreUse.of(child.told("store-from"));
    StoreUse to = StoreUse.of(child.told("store-to"));
    return new Run(
        measured.rate(),
        measured.cpuSecondsPerMillion(),
        (to.cpuNanos() - from.cpuNanos()) / 1e3 / measured.records(),
        child.peakBytes(),
        to.bytes(),
        Double.parseDouble(slices[0]),
        Double.parseDouble(slices[1]));
  }
}

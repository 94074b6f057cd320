package dev.millrace.benchmarks.peer;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// How long Millrace and other engines take to bring the same state back that was lost on local
/// disk: the same keys of the same topic with 100 bytes each, on the same machine and broker, one
/// engine after the other.
///
/// Each engine counts the topic once, is stopped in an orderly way, loses its local directory, is
/// started again, and that a few times; its own numbers for the restore are taken, and the time
/// from the start of the process until every task has processed a record.
public final class PeerRestoreBenchmark {
  private static final Duration LONG = Duration.ofMinutes(20);
  private static final Duration CALM = Duration.ofMinutes(2);
  private static final int PARTITIONS = 4;
  private static final int THREADS = 2;
  private static final long CACHE_BYTES = 256L << 20;
  private static final int EVENT_BYTES = 16;
  private static final int TRICKLE = 1_000;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;

  /// What is to be run.
  ///
  /// @param keys of the state
  /// @param runs of each engine; the median counts
  /// @param home of the working copy, where the engines are
  public record Setup(List<Engine> engines, long keys, int runs, Path home) {
    public Setup {
      engines = List.copyOf(engines);
    }
  }

  /// @param directory for all that is written; not emptied
  public PeerRestoreBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  private record Restored(
      long restoreMillis, long records, long firstMillis, double cpuSeconds, long peakBytes) {}

  private record Measured(Engine engine, String version, String settings, List<Restored> runs) {
    Restored median() {
      return runs.stream()
          .sorted(Comparator.comparingLong(Restored::restoreMillis))
          .toList()
          .get(runs.size() / 2);
    }

    String spread() {
      return "%,d to %,d"
          .formatted(
              runs.stream().mapToLong(Restored::restoreMillis).min().orElseThrow(),
              runs.stream().mapToLong(Restored::restoreMillis).max().orElseThrow());
    }
  }

  public Figure run()
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    // Before anything takes time: what is missing is said at once.
    setup.engines.forEach(engine -> engine.program(setup.home));
    List<Measured> all = new ArrayList<>();
    try (Cluster cluster = new Cluster(directory)) {
      Producing.createTopic(cluster.bootstrap(), "events", PARTITIONS);
      long records = write(cluster);
      for (Engine engine : setup.engines) {
        Path here = Files.createDirectories(directory.resolve(engine.id()));
        Work work =
            new Work(
                cluster.bootstrap(),
                "events",
                here.resolve("state"),
                here.resolve("saved"),
                THREADS,
                CACHE_BYTES);
        progress.accept(engine.id() + ": counting");
        Child filled = engine.start(work, setup.home, here);
        try {
          awaitNumber(filled, "processed", records, engine);
          // Only now, so that it is known when all is counted.
          try (Producing trickle = new Producing(cluster.bootstrap())) {
            trickle.trickle("events", setup.keys, TRICKLE, EVENT_BYTES);
            awaitSaved(engine, filled);
            all.add(measure(engine, work, here, filled, cluster));
            trickle.stop();
            records += trickle.written();
          }
        } finally {
          filled.close();
          Directories.delete(work.state());
          Directories.delete(work.saved());
        }
      }
    }
    return figure(all);
  }

  private long write(Cluster cluster) {
    try (Producing producing = new Producing(cluster.bootstrap())) {
      producing.write(
          "events",
          setup.keys,
          key -> key,
          EVENT_BYTES,
          sent -> progress.accept("Writing: %,d of %,d records".formatted(sent, setup.keys)));
    }
    return setup.keys;
  }

  /// Waits until what was counted is saved elsewhere.
  private void awaitSaved(Engine engine, Child running)
      throws InterruptedException, TimeoutException {
    if (!running.told("saves").isEmpty()) {
      // One may have begun before the last record.
      awaitNumber(running, "saves", running.number("saves") + 2, engine);
    }
  }

  private Measured measure(Engine engine, Work work, Path here, Child filled, Cluster cluster)
      throws InterruptedException, TimeoutException, IOException {
    List<Restored> runs = new ArrayList<>();
    Child running = filled;
    try {
      for (int run = 1; run <= setup.runs; run++) {
        progress.accept("%s: restore %d of %d".formatted(engine.id(), run, setup.runs));
        running.close();
        Directories.delete(work.state());
        cluster.awaitCalm(CALM);
        running = engine.start(work, setup.home, here);
        Restored restored = restored(running);
        progress.accept(
            "%s: restore %d of %d took %,d ms"
                .formatted(engine.id(), run, setup.runs, restored.restoreMillis));
        runs.add(restored);
      }
      return new Measured(engine, running.told("version"), running.told("settings"), runs);
    } finally {
      running.close();
    }
  }

  private void awaitNumber(Child running, String what, long wanted, Engine engine)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + LONG.toNanos();
    while (running.number(what) < wanted) {
      running.requireAlive();
      if (System.nanoTime() > end) {
        throw new TimeoutException(
            "%s: %s is %,d after %s, but should be %,d"
                .formatted(engine.id(), what, running.number(what), LONG, wanted));
      }
      progress.accept(
          "%s: %s %,d of %,d".formatted(engine.id(), what, running.number(what), wanted));
      Thread.sleep(200);
    }
  }

  private Restored restored(Child running) throws InterruptedException, TimeoutException {
    long first = Long.parseLong(running.await("first", LONG));
    double cpu = running.cpu().toMillis() / 1e3;
    long restore = Long.parseLong(running.await("restore", LONG));
    long records = running.number("restored");
    return new Restored(
        restore,
        records < 0 ? setup.keys : records,
        first - running.startedMillis(),
        cpu,
        running.peakBytes());
  }

  private Figure figure(List<Measured> all) {
    double base = all.getFirst().median().restoreMillis;
    List<List<Object>> rows = new ArrayList<>();
    for (Measured each : all) {
      Restored median = each.median();
      rows.add(
          List.of(
              each.version,
              each.engine.restoresFrom(),
              median.records,
              median.restoreMillis,
              each.spread(),
              median.records * 1_000 / Math.max(1, median.restoreMillis),
              "%.2f".formatted(median.restoreMillis / Math.max(1, base)),
              median.firstMillis,
              "%.1f".formatted(median.cpuSeconds),
              median.peakBytes >> 20));
    }
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", setup.runs);
    facts.put("keys", setup.keys);
    facts.put("tasks", PARTITIONS);
    facts.put("threads", THREADS);
    all.forEach(each -> facts.put("settings of " + each.engine.id(), each.settings));
    return new Figure(
        "restore-peers",
        "Restoring %,d keys of 100 bytes whose local state is lost".formatted(setup.keys),
        facts,
        List.of(
            "engine",
            "restores from",
            "records",
            "restore ms",
            "spread",
            "records/s",
            "ratio",
            "start to all tasks ms",
            "CPU s",
            "peak MB"),
        rows,
        new Plot(
            "engine",
            "seconds",
            all.stream().map(each -> each.engine.id()).toList(),
            List.of(
                new Line(
                    "restore",
                    all.stream().map(each -> each.median().restoreMillis / 1e3).toList()),
                new Line(
                    "start to all tasks",
                    all.stream().map(each -> each.median().firstMillis / 1e3).toList()))));
  }
}

package dev.millrace.benchmarks.scenarios;

import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.CpuProfile;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.scenarios.Row.Cost;
import dev.millrace.benchmarks.scenarios.Row.Latency;
import dev.millrace.benchmarks.scenarios.Row.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// Runs scenarios for engines, one process after the other, against one Kafka; checks what each
/// counted; and measures rates, processor time, memory and latency.
public final class ScenarioBenchmark {
  static final int PARTITIONS = 4;
  static final int THREADS = 2;

  /// Of the records, before the measurement begins: caches and state are filled by then.
  static final double WARM_SHARE = 0.2;

  /// How many of the largest costs are told.
  private static final int COSTS = 5;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;
  private final List<Row> rows = new ArrayList<>();

  /// What is to be run.
  ///
  /// @param workloads each with its own topic; records are passed on of the first one only
  /// @param runs of each case, of which the median counts
  /// @param rehearsalSeconds how long each engine's process does the same first
  /// @param heapMb of each engine's JVM
  /// @param cacheBytes of each engine's process
  /// @param latency whether latency is measured at half of an engine's own rate
  /// @param latencyRates further records a second at which it is
  /// @param latencySeconds how long each of these takes
  /// @param profiles the directory for a profile of each case, for which it is run once more; null
  ///   if none is wanted
  /// @param home of the working copy, where the engines are
  public record Setup(
      List<Scenario> scenarios,
      List<Contender> engines,
      List<Workload> workloads,
      int runs,
      int rehearsalSeconds,
      int heapMb,
      long cacheBytes,
      boolean latency,
      List<Long> latencyRates,
      int latencySeconds,
      @Nullable Path profiles,
      Path home) {
    public Setup {
      scenarios = List.copyOf(scenarios);
      engines = List.copyOf(engines);
      workloads = List.copyOf(workloads);
      latencyRates = List.copyOf(latencyRates);
    }
  }

  /// @param directory for all that is written; not emptied
  public ScenarioBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run()
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    // Before anything takes time: what is missing is said at once.
    setup.engines.forEach(engine -> engine.program(setup.home, setup.heapMb));
    try (Cluster cluster = new Cluster(directory)) {
      Trial trial = new Trial(setup, cluster, directory, progress);
      for (Workload workload : setup.workloads) {
        Input input = Input.write(workload, cluster.bootstrap(), PARTITIONS, progress);
        for (Scenario scenario : setup.scenarios) {
          if (scenario != Scenario.PASS || workload.equals(setup.workloads.getFirst())) {
            rows.addAll(rows(trial, scenario, input));
          }
        }
        Producing.deleteTopics(cluster.bootstrap(), workload.topic());
      }
    }
    return Report.figure(setup, rows);
  }

  /// The rows that should be there and are not, in words; empty if all went well.
  public List<String> failures() {
    return rows.stream().filter(Row::failed).map(row -> row.name() + ": " + row.why()).toList();
  }

  /// Runs each engine, and again, so that what drifts hits all alike. One that has failed is not
  /// run again.
  private List<Row> rows(Trial trial, Scenario scenario, Input input)
      throws InterruptedException, ExecutionException, IOException {
    Map<Contender, List<Run>> runs = new EnumMap<>(Contender.class);
    Map<Contender, String> failed = new EnumMap<>(Contender.class);
    for (int run = 1; run <= setup.runs; run++) {
      for (Contender engine : setup.engines) {
        if (engine.cannot(scenario).isEmpty() && !failed.containsKey(engine)) {
          String what =
              "%s, %s, %,d keys, run %d of %d"
                  .formatted(engine.id(), scenario.id(), input.workload().keys(), run, setup.runs);
          try {
            runs.computeIfAbsent(engine, _ -> new ArrayList<>())
                .add(trial.rate(engine, scenario, input, what, null));
          } catch (IllegalStateException | KafkaException | TimeoutException e) {
            failed.put(engine, String.valueOf(e.getMessage()));
          }
        }
      }
    }
    List<Row> all = new ArrayList<>();
    for (Contender engine : setup.engines) {
      all.add(row(trial, engine, scenario, input, runs, failed));
    }
    return all;
  }

  private Row row(
      Trial trial,
      Contender engine,
      Scenario scenario,
      Input input,
      Map<Contender, List<Run>> runs,
      Map<Contender, String> failed)
      throws InterruptedException, ExecutionException, IOException {
    Workload workload = input.workload();
    Optional<String> cannot = engine.cannot(scenario);
    if (cannot.isPresent()) {
      return Row.cannot(engine, scenario, workload, cannot.get());
    }
    String why = failed.get(engine);
    List<Run> ofEngine = runs.get(engine);
    if (why != null || ofEngine == null) {
      return Row.failed(engine, scenario, workload, String.valueOf(why));
    }
    Row row = Row.of(engine, scenario, workload, ofEngine);
    try {
      row = row.withCosts(costs(trial, row, input));
    } catch (IllegalStateException | KafkaException | TimeoutException e) {
      return Row.failed(engine, scenario, workload, "profile: " + e.getMessage());
    }
    if (scenario != Scenario.PASS) {
      return row;
    }
    try {
      return row.withLatencies(latencies(trial, row));
    } catch (IllegalStateException | KafkaException | TimeoutException e) {
      return Row.failed(engine, scenario, workload, "latency: " + e.getMessage());
    }
  }

  private List<Cost> costs(Trial trial, Row row, Input input)
      throws InterruptedException, ExecutionException, IOException, TimeoutException {
    if (setup.profiles == null) {
      return List.of();
    }
    String name =
        "%s-%s-%d".formatted(row.engine().id(), row.scenario().id(), row.workload().keys());
    Path file = setup.profiles.resolve(name + ".jfr");
    Run run = trial.rate(row.engine(), row.scenario(), input, name + ", profile", file);
    double all = run.cpuSeconds();
    double millions = row.workload().records() * (1 - WARM_SHARE) / 1e6;
    return CpuProfile.costs(file).stream()
        .limit(COSTS)
        .map(cost -> {
          double cpuSeconds = cost.cpuSeconds() / millions;
          return new Cost(cost.what(), cpuSeconds / all, cpuSeconds);
        })
        .toList();
  }

  private List<Latency> latencies(Trial trial, Row row)
      throws InterruptedException, ExecutionException, IOException, TimeoutException {
    double most = row.rate();
    List<Latency> all = new ArrayList<>();
    if (setup.latency) {
      all.add(trial.latency(row.engine(), row.workload(), most / 2, true));
    }
    for (long rate : setup.latencyRates) {
      // Above its rate the queue grows as long as one looks, and the time says nothing.
      if (rate <= most) {
        all.add(trial.latency(row.engine(), row.workload(), (double) rate, false));
      }
    }
    return all;
  }
}

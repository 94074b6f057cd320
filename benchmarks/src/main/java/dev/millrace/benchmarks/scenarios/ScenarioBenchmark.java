package dev.millrace.benchmarks.scenarios;

import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.CpuProfile;
import dev.millrace.benchmarks.process.PageCache;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.scenarios.Row.Cost;
import dev.millrace.benchmarks.scenarios.Row.Latency;
import dev.millrace.benchmarks.scenarios.Row.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  /// @param slowRecords of which engines that are slow by far process so many instead
  /// @param runs of each case, of which the median counts
  /// @param rehearsalSeconds how long each engine's process does the same first
  /// @param heapMb of each engine's JVM
  /// @param cacheBytes of each engine's process
  /// @param pageCache whether the system's cache of files is filled before each case
  /// @param profiles the directory for a profile of each case, for which it is run once more; null
  ///   if none is wanted
  /// @param home of the working copy, where the engines are
  public record Setup(
      List<Scenario> scenarios,
      List<Contender> engines,
      List<Workload> workloads,
      long slowRecords,
      int runs,
      int rehearsalSeconds,
      int heapMb,
      long cacheBytes,
      boolean pageCache,
      Latencies latencies,
      @Nullable Path profiles,
      Path home) {
    public Setup {
      scenarios = List.copyOf(scenarios);
      engines = List.copyOf(engines);
      workloads = List.copyOf(workloads);
    }
  }

  /// At which rates latency is measured, of what is passed on.
  ///
  /// @param atHalf whether at half of an engine's own rate
  /// @param rates further records a second
  /// @param seconds how long each of these takes
  public record Latencies(boolean atHalf, List<Long> rates, int seconds) {
    public Latencies {
      rates = List.copyOf(rates);
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
    try (Cluster cluster = new Cluster(directory);
        PageCache cache = new PageCache(directory)) {
      Trial trial = new Trial(setup, cluster, cache, directory, progress);
      for (Workload workload : setup.workloads) {
        Map<Workload, Input> inputs = new HashMap<>();
        for (Scenario scenario : scenarios(workload)) {
          for (Contender engine : setup.engines) {
            Workload part = part(engine, scenario, workload);
            if (engine.cannot(scenario).isEmpty() && !inputs.containsKey(part)) {
              inputs.put(part, Input.write(part, cluster.bootstrap(), PARTITIONS, progress));
            }
          }
          rows.addAll(rows(trial, scenario, workload, inputs));
        }
        for (Workload part : inputs.keySet()) {
          Producing.deleteTopics(cluster.bootstrap(), part.topic());
        }
      }
    }
    return Report.figure(setup, rows);
  }

  private List<Scenario> scenarios(Workload workload) {
    return setup.scenarios.stream()
        .filter(each -> each != Scenario.PASS || workload.equals(setup.workloads.getFirst()))
        .toList();
  }

  /// The rows that should be there and are not, in words; empty if all went well.
  public List<String> failures() {
    return rows.stream().filter(Row::failed).map(row -> row.name() + ": " + row.why()).toList();
  }

  /// Runs each engine, and again, so that what drifts hits all alike. One that has failed is not
  /// run again.
  private List<Row> rows(
      Trial trial, Scenario scenario, Workload workload, Map<Workload, Input> inputs)
      throws InterruptedException, ExecutionException, IOException {
    Map<Contender, List<Run>> runs = new EnumMap<>(Contender.class);
    Map<Contender, String> failed = new EnumMap<>(Contender.class);
    for (int run = 1; run <= setup.runs; run++) {
      for (Contender engine : setup.engines) {
        if (engine.cannot(scenario).isEmpty() && !failed.containsKey(engine)) {
          String what =
              "%s, %s, %,d keys, run %d of %d"
                  .formatted(engine.id(), scenario.id(), workload.keys(), run, setup.runs);
          Input input = input(engine, scenario, workload, inputs);
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
      Optional<String> cannot = engine.cannot(scenario);
      if (cannot.isPresent()) {
        all.add(Row.cannot(engine, scenario, workload, cannot.get()));
        continue;
      }
      Input input = input(engine, scenario, workload, inputs);
      String why = failed.get(engine);
      List<Run> ofEngine = runs.get(engine);
      all.add(
          why != null || ofEngine == null
              ? Row.failed(engine, scenario, input.workload(), String.valueOf(why))
              : more(trial, Row.of(engine, scenario, input.workload(), ofEngine), input));
    }
    return all;
  }

  private Input input(
      Contender engine, Scenario scenario, Workload workload, Map<Workload, Input> inputs) {
    return Objects.requireNonNull(inputs.get(part(engine, scenario, workload)));
  }

  private Workload part(Contender engine, Scenario scenario, Workload workload) {
    return engine.isSlow(scenario) ? workload.withRecords(setup.slowRecords) : workload;
  }

  /// With what is measured once more: a profile, latencies.
  private Row more(Trial trial, Row measured, Input input)
      throws InterruptedException, ExecutionException, IOException {
    Contender engine = measured.engine();
    Scenario scenario = measured.scenario();
    Workload workload = measured.workload();
    Row row;
    try {
      row = measured.withCosts(costs(trial, measured, input));
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
    if (setup.latencies.atHalf) {
      all.add(trial.latency(row.engine(), row.workload(), most / 2, true));
    }
    for (long rate : setup.latencies.rates) {
      // Above its rate the queue grows as long as one looks, and the time says nothing.
      if (rate <= most) {
        all.add(trial.latency(row.engine(), row.workload(), (double) rate, false));
      }
    }
    return all;
  }
}

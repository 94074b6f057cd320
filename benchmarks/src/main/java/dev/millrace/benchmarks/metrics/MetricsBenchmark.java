package dev.millrace.benchmarks.metrics;

import dev.millrace.BuildVersion;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.benchmarks.process.CpuProfile.Samples;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What metrics cost: the part of the processor time of a job at full speed that is spent in the
/// classes that count, measure and tell it, while somebody asks for all of it once a second.
///
/// There is no job without metrics to compare with; and a difference of a hundredth would be lost
/// in what one run differs from the next. So the JVM is sampled, once in 10 ms of processor time of
/// each thread.
public final class MetricsBenchmark {
  static final int WORKERS = 2;

  private static final String TOPIC = "events";
  private static final int PARTITIONS = 4;
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration CALM = Duration.ofMinutes(1);
  private static final double PERCENT = 100;

  /// With a key of eight bytes, a record has a hundred.
  private static final int EVENT_BYTES = 92;

  private final Setup setup;
  private final Path directory;
  private final Consumer<String> progress;
  private final List<String> failures = new ArrayList<>();

  /// @param keys each as often as the others
  /// @param records that each job processes
  /// @param rounds whose samples are added up
  public record Setup(long keys, long records, int rounds) {}

  /// @param directory for all that is written; not emptied
  public MetricsBenchmark(Setup setup, Path directory, Consumer<String> progress) {
    this.setup = setup;
    this.directory = directory;
    this.progress = progress;
  }

  /// What was found to cost too much; known behind [#run].
  public List<String> failures() {
    return List.copyOf(failures);
  }

  public Figure run() throws InterruptedException, TimeoutException, ExecutionException {
    Map<MetricsCase, Samples> all = new EnumMap<>(MetricsCase.class);
    try (Cluster cluster = new Cluster(directory)) {
      Producing.createTopic(cluster.bootstrap(), TOPIC, PARTITIONS);
      try (Producing producing = new Producing(cluster.bootstrap())) {
        producing.write(
            TOPIC,
            setup.records,
            i -> i % setup.keys,
            EVENT_BYTES,
            sent -> progress.accept("Writing: %,d of %,d records".formatted(sent, setup.records)));
      }
      cluster.awaitCalm(CALM);
      try (Child child = start(cluster)) {
        for (int round = -1; round < setup.rounds; round++) {
          progress.accept(
              round < 0 ? "warming up" : "round %d of %d".formatted(round + 1, setup.rounds));
          for (MetricsCase each : MetricsCase.values()) {
            String[] told = child.await(each.round(round), LONG).split(" ");
            if (round >= 0) {
              all.merge(
                  each,
                  new Samples(Long.parseLong(told[0]), Long.parseLong(told[1])),
                  Samples::plus);
            }
          }
        }
      }
    }
    return figure(all);
  }

  private Child start(Cluster cluster) {
    return Child.start(
        "jobs",
        Program.of(MetricsRuns.class, "-Xmx1g"),
        List.of(
            cluster.bootstrap(),
            directory.toString(),
            TOPIC,
            Long.toString(setup.records),
            Integer.toString(setup.rounds)),
        directory);
  }

  private Figure figure(Map<MetricsCase, Samples> all) {
    Map<String, Object> facts = Machine.facts();
    facts.put("rounds", setup.rounds);
    facts.put("records", setup.records);
    facts.put("keys", setup.keys);
    facts.put("workers", WORKERS);
    facts.put("settings", "exactly-once, /metrics requested once a second");
    List<List<Object>> rows = new ArrayList<>();
    List<Map<String, @Nullable Object>> results = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    all.forEach((which, samples) -> {
      Share share = Share.of(samples);
      rows.add(
          List.of(
              which.what(),
              samples.all(),
              samples.inside(),
              "%.2f %%".formatted(PERCENT * share.found()),
              "%.2f to %.2f %%".formatted(PERCENT * share.least(), PERCENT * share.most())));
      shares.add(PERCENT * share.found());
      results.add(result(which, samples, share));
      if (share.isTooMuch()) {
        failures.add(
            "%s: metrics may take %.2f %% of the processor time; the limit is %.0f %%."
                .formatted(which.what(), PERCENT * share.most(), PERCENT * Share.MOST_OF_METRICS));
      }
    });
    return new Figure(
            "metrics",
            "Cost of metrics",
            facts,
            List.of("job", "samples", "in metrics", "share", "with 95 %"),
            rows,
            new Plot(
                "job",
                "percent of the processor time",
                Arrays.stream(MetricsCase.values()).map(MetricsCase::what).toList(),
                List.of(new Line("metrics", shares))))
        .withResults(results);
  }

  private Map<String, @Nullable Object> result(MetricsCase which, Samples samples, Share share) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("engine", "millrace");
    result.put("scenario", "metrics-" + which.name().toLowerCase(Locale.ROOT));
    result.put("keys", setup.keys);
    result.put("rate", null);
    result.put("cpuSecondsPerMillion", null);
    result.put("peakRssMb", null);
    result.put("p50Ms", null);
    result.put("p99Ms", null);
    result.put("samples", samples.all());
    result.put("samplesInMetrics", samples.inside());
    result.put("share", share.found());
    result.put("shareLeast", share.least());
    result.put("shareMost", share.most());
    result.put("versions", BuildVersion.text());
    result.put("settings", "exactly-once, /metrics requested once a second");
    return result;
  }
}

package dev.millrace.benchmarks.localstate;

import dev.millrace.BuildVersion;
import dev.millrace.benchmarks.localstate.LocalStateBenchmark.Case;
import dev.millrace.benchmarks.localstate.LocalStateBenchmark.Setup;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Figure.Scale;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Names;
import dev.millrace.benchmarks.report.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Runs as a table, a plot and results for programs.
final class Report {
  private Report() {}

  static Figure figure(Setup setup, Map<Case, List<Run>> runs) {
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", setup.runs());
    facts.put("records", setup.records());
    facts.put("partitions", LocalStateBenchmark.PARTITIONS);
    facts.put("cache MB", setup.cacheBytes() >> 20);
    facts.put(
        "record bytes",
        "%d and %d besides the key".formatted(Messages.READ_WRITE_BYTES, Messages.READ_ONLY_BYTES));
    facts.put("measured", "from 20 % of the records, when the job is warm, to the last");
    facts.put("settings", settings());
    List<List<Object>> rows = new ArrayList<>();
    List<Map<String, @Nullable Object>> results = new ArrayList<>();
    runs.forEach((each, all) -> {
      rows.add(row(setup, each, all, runs));
      results.add(result(setup, each, all));
    });
    return new Figure(
        "local-state",
        "Local and remote state (Noghabi et al., figure 8)",
        facts,
        List.of(
            "job",
            "state",
            "keys",
            "records/s",
            "spread",
            "of in memory %",
            "changelog costs %",
            "CPU s/million",
            "of the store",
            "peak MB",
            "slice p50 ms",
            "p99 ms"),
        rows,
        List.of(plot(setup, runs)),
        results);
  }

  private static String settings() {
    return "exactly-once, kafka.data-plane=direct, commit.interval=PT1S, recovery.target=PT10S";
  }

  private static List<Object> row(
      Setup setup, Case each, List<Run> all, Map<Case, List<Run>> runs) {
    Sample rate = Sample.of(all, Run::rate);
    String ofMemory = share(all, runs.get(new Case(each.access(), Storing.IN_MEMORY)));
    String cost =
        each.storing()
            .withoutChangelog()
            .map(without -> runs.get(new Case(each.access(), without)))
            .map(base ->
                "%.1f"
                    .formatted(
                        Sample.ofPairs(
                                all, base, (one, other) -> 100 * (1 - one.rate() / other.rate()))
                            .median()))
            .orElse("");
    return List.of(
        Names.of(each.access()),
        Names.of(each.storing()),
        setup.ids(),
        Math.round(rate.median()),
        "%,.0f to %,.0f".formatted(rate.least(), rate.most()),
        ofMemory,
        cost,
        "%.2f".formatted(median(all, Run::cpuSeconds)),
        each.storing().remote() ? "%.2f".formatted(median(all, Run::storeCpuSeconds)) : "",
        peak(all),
        "%.2f".formatted(median(all, Run::p50Millis)),
        "%.2f".formatted(median(all, Run::p99Millis)));
  }

  /// The rate in percent of another's, round by round.
  private static String share(List<Run> all, @Nullable List<Run> base) {
    return base == null
        ? ""
        : "%.1f"
            .formatted(
                Sample.ofPairs(all, base, (one, other) -> 100 * one.rate() / other.rate())
                    .median());
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> value) {
    return Sample.of(runs, value).median();
  }

  private static long peak(List<Run> runs) {
    return runs.stream().mapToLong(Run::peakBytes).max().orElse(0) >> 20;
  }

  /// For programs.
  private static Map<String, @Nullable Object> result(Setup setup, Case each, List<Run> all) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("engine", each.storing().remote() ? "millrace-redis" : "millrace");
    result.put("scenario", Names.of(each.access()) + "-" + Names.of(each.storing()));
    result.put("keys", setup.ids());
    result.put("records", each.storing().records(setup.records()));
    result.put("rate", median(all, Run::rate));
    result.put("cpuSecondsPerMillion", median(all, Run::cpuSeconds));
    result.put("storeCpuSecondsPerMillion", median(all, Run::storeCpuSeconds));
    result.put("peakRssMb", peak(all));
    result.put("storeRssMb", all.stream().mapToLong(Run::storeBytes).max().orElse(0) >> 20);
    result.put("p50Ms", median(all, Run::p50Millis));
    result.put("p99Ms", median(all, Run::p99Millis));
    result.put("rates", all.stream().map(Run::rate).toList());
    result.put("cpuSecondsPerMillionOfRuns", all.stream().map(Run::cpuSeconds).toList());
    result.put("versions", BuildVersion.text());
    result.put("settings", settings());
    return result;
  }

  private static Plot plot(Setup setup, Map<Case, List<Run>> runs) {
    return new Plot(
        "state",
        "records a second",
        setup.storings().stream().map(Report::shortly).toList(),
        setup.accesses().stream()
            .map(access ->
                new Line(
                    Names.of(access),
                    setup.storings().stream()
                        .map(storing ->
                            median(
                                Objects.requireNonNull(runs.get(new Case(access, storing))),
                                Run::rate))
                        .toList()))
            .toList(),
        Scale.LOGARITHMIC);
  }

  /// As there is room for below a plot.
  private static String shortly(Storing storing) {
    return switch (storing) {
      case IN_MEMORY -> "memory";
      case IN_MEMORY_CHANGELOG -> "+changelog";
      case ON_DISK -> "disk";
      case ON_DISK_CHANGELOG -> "+changelog";
      case ON_DISK_NO_CACHE -> "no cache";
      case REMOTE -> "remote";
      case REMOTE_EACH -> "each";
    };
  }
}

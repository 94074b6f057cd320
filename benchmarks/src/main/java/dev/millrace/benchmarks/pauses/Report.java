package dev.millrace.benchmarks.pauses;

import dev.millrace.BuildVersion;
import dev.millrace.benchmarks.pauses.PausesBenchmark.Round;
import dev.millrace.benchmarks.pauses.PausesBenchmark.Setup;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Rounds as a table, a plot and results for programs.
final class Report {
  private static final String SETTINGS =
      "exactly-once, state on disk, changelog, commit.interval=1s";

  private Report() {}

  static Figure figure(Setup setup, List<Round> rounds) {
    Map<String, Object> facts = Machine.facts();
    facts.put("rounds", setup.rounds());
    facts.put("records", setup.records());
    facts.put("keys", setup.keys());
    facts.put("partitions", PausesBenchmark.PARTITIONS);
    facts.put("workers", PausesBenchmark.WORKERS);
    facts.put("settings", SETTINGS);
    facts.put(
        "pause",
        "time between two pieces of a worker's work, by the clock, with a resolution of an eighth");
    List<String> numbers =
        IntStream.rangeClosed(1, rounds.size()).mapToObj(String::valueOf).toList();
    return new Figure(
            "pauses",
            "Pauses of workers",
            facts,
            List.of(
                "round",
                "records/s",
                "commits",
                "flushes",
                "pause p99 ms",
                "p99.9 ms",
                "longest ms",
                "aborts",
                "to progress p50 ms",
                "to progress longest ms"),
            IntStream.range(0, rounds.size()).mapToObj(i -> row(i + 1, rounds.get(i))).toList(),
            new Plot(
                "round",
                "milliseconds",
                numbers,
                List.of(
                    new Line("longest pause", rounds.stream().map(Round::longest).toList()),
                    new Line(
                        "from an aborted commit to progress, longest",
                        rounds.stream().map(Round::awayLongest).toList()))))
        .withResults(rounds.stream().map(round -> result(setup, round)).toList());
  }

  private static List<Object> row(int number, Round round) {
    return List.of(
        number,
        Math.round(round.perSecond()),
        round.commits(),
        round.flushes(),
        round.p99(),
        round.p999(),
        round.longest(),
        round.away().values().size(),
        "%.1f".formatted(round.awayMedian()),
        "%.1f".formatted(round.awayLongest()));
  }

  private static Map<String, @Nullable Object> result(Setup setup, Round round) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("engine", "millrace");
    result.put("scenario", "pauses");
    result.put("keys", setup.keys());
    result.put("rate", round.perSecond());
    result.put("cpuSecondsPerMillion", null);
    result.put("peakRssMb", null);
    result.put("p50Ms", null);
    result.put("p99Ms", null);
    result.put("pauseP99Ms", round.p99());
    result.put("pauseP999Ms", round.p999());
    result.put("longestPauseMs", round.longest());
    result.put("abortsToProgressMs", round.away().values());
    result.put("versions", BuildVersion.text());
    result.put("settings", SETTINGS);
    return result;
  }
}

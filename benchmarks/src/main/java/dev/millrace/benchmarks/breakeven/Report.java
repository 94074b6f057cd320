package dev.millrace.benchmarks.breakeven;

import dev.millrace.BuildVersion;
import dev.millrace.benchmarks.breakeven.BreakEvenBenchmark.Setup;
import dev.millrace.benchmarks.breakeven.Changelog.Point;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Figure.Scale;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What was measured beside the formulas, as a table, plots and results for programs.
final class Report {
  private static final double MB = 1e6;

  /// The configurations of the paper's figure: bytes of the state, and of an entry.
  private static final double[][] PAPER = {{1e14, 10}, {1e14, 1_000}, {1e11, 10}, {1e11, 1_000}};

  private static final List<Integer> PAPER_MINUTES = List.of(10, 20, 30, 40, 50, 60, 70, 80, 90);

  /// Ten times what the busiest application of the paper's table 1 changes a second.
  private static final double PAPER_MOST = 1e7;

  private final Setup setup;
  private final Map<Integer, List<Measured>> runs;

  /// @param runs by the bytes of an entry
  Report(Setup setup, Map<Integer, List<Measured>> runs) {
    this.setup = setup;
    this.runs = runs;
  }

  Figure figure() {
    Map<String, Object> facts = Machine.facts();
    facts.put("runs", setup.runs());
    facts.put("partitions", Trial.PARTITIONS);
    facts.put("commit interval", "1 s");
    facts.put("seconds of each rate", setup.seconds());
    setup
        .entryBytes()
        .forEach(bytes -> {
          facts.put("checkpoint, entries of %d bytes".formatted(bytes), checkpoint(bytes));
          facts.put("changelog, entries of %d bytes".formatted(bytes), changelog(bytes));
        });
    return new Figure(
        "break-even",
        "Break-even of checkpoints and changelog (Noghabi et al., figure 7)",
        facts,
        List.of(
            "state",
            "entry bytes",
            "interval s",
            "changes/s by formula",
            "as measured",
            "spread",
            "measured / formula"),
        rows(),
        List.of(paperPlot(), plot(), changelogPlot()),
        results());
  }

  private List<Measured> of(int bytes) {
    return Objects.requireNonNull(runs.get(bytes));
  }

  /// Such as `209.1 MB (keys and values 200.0 MB)`.
  private String checkpoint(int bytes) {
    return "%.1f MB (keys and values %.1f MB)"
        .formatted(
            Sample.of(of(bytes), Measured::checkpointBytes).median() / MB, stateBytes(bytes) / MB);
  }

  private double stateBytes(int bytes) {
    return (double) setup.keys(bytes) * bytes;
  }

  private String changelog(int bytes) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < setup.rates().size(); i++) {
      texts.add(
          "%,.0f changes/s %.2f MB/s (by formula %.2f), %.1f bytes a change"
              .formatted(
                  median(bytes, i, Point::changesPerSecond),
                  median(bytes, i, Point::bytesPerSecond) / MB,
                  Formula.changelog(median(bytes, i, Point::changesPerSecond), bytes) / MB,
                  median(bytes, i, Point::bytesAChange)));
    }
    return String.join("; ", texts);
  }

  private double median(int bytes, int rate, ToDoubleFunction<Point> value) {
    return Sample.of(of(bytes), run -> value.applyAsDouble(run.changelog().points().get(rate)))
        .median();
  }

  private List<List<Object>> rows() {
    List<List<Object>> rows = new ArrayList<>();
    for (double[] paper : PAPER) {
      for (int minutes : List.of(10, 20, 90)) {
        rows.add(
            List.of(
                paper[0] == 1e14 ? "100 TB" : "100 GB",
                (long) paper[1],
                60L * minutes,
                Math.round(Formula.breakEven(paper[0], 60.0 * minutes, paper[1])),
                "",
                "",
                ""));
      }
    }
    for (int bytes : setup.entryBytes()) {
      for (int interval : setup.intervals()) {
        double formula = Formula.breakEven(stateBytes(bytes), interval, bytes);
        Sample measured = Sample.of(of(bytes), run -> run.breakEven(interval));
        rows.add(
            List.of(
                "%.0f MB".formatted(stateBytes(bytes) / MB),
                (long) bytes,
                (long) interval,
                Math.round(formula),
                Double.isInfinite(measured.median())
                    ? "never"
                    : (Object) Math.round(measured.median()),
                "%,.0f to %,.0f".formatted(measured.least(), measured.most()),
                "%.2f".formatted(measured.median() / formula)));
      }
    }
    return rows;
  }

  private static Plot paperPlot() {
    List<Line> lines = new ArrayList<>();
    for (double[] paper : PAPER) {
      lines.add(
          new Line(
              "%s, %s"
                  .formatted(
                      paper[0] == 1e14 ? "100 TB" : "100 GB", paper[1] == 10 ? "10 B" : "1 KB"),
              PAPER_MINUTES.stream()
                  .map(minutes -> Formula.breakEven(paper[0], 60.0 * minutes, paper[1]))
                  .toList()));
    }
    lines.add(new Line("10 x table 1", PAPER_MINUTES.stream().map(_ -> PAPER_MOST).toList()));
    return new Plot(
        "minutes between checkpoints, the paper's sizes by formula",
        "changes a second",
        PAPER_MINUTES.stream().map(String::valueOf).toList(),
        lines,
        Scale.LOGARITHMIC);
  }

  private Plot plot() {
    List<Line> lines = new ArrayList<>();
    for (int bytes : setup.entryBytes()) {
      lines.add(
          line(
              "%d B, formula".formatted(bytes),
              setup.intervals(),
              interval -> Formula.breakEven(stateBytes(bytes), interval, bytes)));
      lines.add(
          line(
              "%d B, measured".formatted(bytes),
              setup.intervals(),
              interval -> Sample.of(of(bytes), run -> run.breakEven(interval)).median()));
    }
    return new Plot(
        "seconds between checkpoints of %.0f MB".formatted(setup.stateBytes() / MB),
        "changes a second",
        setup.intervals().stream().map(String::valueOf).toList(),
        lines,
        Scale.LOGARITHMIC);
  }

  private Plot changelogPlot() {
    List<Integer> rates = IntStream.range(0, setup.rates().size()).boxed().toList();
    List<Line> lines = new ArrayList<>();
    for (int bytes : setup.entryBytes()) {
      lines.add(
          line(
              "%d B, formula".formatted(bytes),
              setup.rates(),
              rate -> Formula.changelog(rate, bytes) / MB));
      lines.add(
          line(
              "%d B, measured".formatted(bytes),
              rates,
              rate -> median(bytes, rate, Point::bytesPerSecond) / MB));
    }
    return new Plot(
        "changes a second",
        "MB of changelog a second",
        setup.rates().stream().map("%,d"::formatted).toList(),
        lines,
        Scale.LOGARITHMIC);
  }

  private static Line line(String name, List<Integer> xs, IntToDoubleFunction y) {
    return new Line(name, xs.stream().map(y::applyAsDouble).toList());
  }

  private List<Map<String, @Nullable Object>> results() {
    List<Map<String, @Nullable Object>> results = new ArrayList<>();
    for (int bytes : setup.entryBytes()) {
      for (int i = 0; i < setup.rates().size(); i++) {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("engine", "millrace");
        result.put("scenario", "break-even-%d-bytes".formatted(bytes));
        result.put("keys", setup.keys(bytes));
        result.put("entryBytes", bytes);
        result.put("rate", median(bytes, i, Point::changesPerSecond));
        result.put("changelogBytesPerSecond", median(bytes, i, Point::bytesPerSecond));
        result.put("checkpointBytes", Sample.of(of(bytes), Measured::checkpointBytes).median());
        result.put("cpuSecondsPerMillion", median(bytes, i, Point::cpuSeconds));
        result.put(
            "peakRssMb", of(bytes).stream().mapToLong(Measured::peakBytes).max().orElse(0) >> 20);
        result.put("p50Ms", null);
        result.put("p99Ms", null);
        result.put("breakEven", breakEvens(bytes));
        result.put("versions", BuildVersion.text());
        result.put("settings", "exactly-once, commit.interval=PT1S, state on disk, no compaction");
        results.add(result);
      }
    }
    return results;
  }

  /// By the seconds between checkpoints.
  private Map<String, Object> breakEvens(int bytes) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (int interval : setup.intervals()) {
      all.put(
          Integer.toString(interval),
          Sample.of(of(bytes), run -> run.breakEven(interval)).median());
    }
    return all;
  }
}

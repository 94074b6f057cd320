package dev.millrace.benchmarks.jmh;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figure.Line;
import dev.millrace.benchmarks.report.Figure.Plot;
import dev.millrace.benchmarks.report.Machine;
import dev.millrace.benchmarks.report.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// The pieces of the hot path, each by itself: what an operation takes, and what it allocates.
///
/// They are in a module of their own, as JMH is needed by nothing else; its build leaves the class
/// path in a file.
public final class MicroBenchmark {
  private static final Duration LONG = Duration.ofHours(2);

  private final Path home;
  private final String only;
  private final int runs;
  private final Path directory;
  private final Consumer<String> progress;

  /// What a benchmark gave, as the process writes it.
  ///
  /// @param nanos an operation, of each JVM
  /// @param bytes allocated an operation
  public record Measured(
      String benchmark,
      String what,
      Map<String, String> params,
      List<Double> nanos,
      double bytes) {}

  /// @param home of the working copy that Millrace was built in
  /// @param only a regular expression; benchmarks are run in whose names it is found
  /// @param runs JVMs for each
  /// @param directory for what JMH says; not emptied
  public MicroBenchmark(
      Path home, String only, int runs, Path directory, Consumer<String> progress) {
    this.home = home;
    this.only = only;
    this.runs = runs;
    this.directory = directory;
    this.progress = progress;
  }

  public Figure run() throws IOException, InterruptedException, TimeoutException {
    try (Child child =
        Child.start(
            "micro",
            program(),
            List.of(only, Integer.toString(runs), directory.toString()),
            directory)) {
      long end = System.nanoTime() + LONG.toNanos();
      while (child.told("done").isEmpty()) {
        child.requireAlive();
        if (System.nanoTime() > end) {
          throw new TimeoutException("The benchmarks did not end within " + LONG + ".");
        }
        progress.accept(child.told("progress"));
        Thread.sleep(200);
      }
    }
    return figure(
        JsonMapper.shared()
            .readValue(
                Files.readString(directory.resolve("results.json")),
                new TypeReference<List<Measured>>() {}),
        runs);
  }

  private Child.Program program() throws IOException {
    Path target = home.resolve("benchmarks/micro/target");
    Path file = target.resolve("peer.classpath");
    try {
      return new Child.Program(
          "dev.millrace.benchmarks.micro.MicroMain",
          target.resolve("classes") + ":" + Files.readString(file).strip(),
          List.of());
    } catch (NoSuchFileException e) {
      throw new IllegalStateException(
          "The benchmarks are not built: %s does not exist. In the working copy of Millrace: mvn package -pl benchmarks/micro -am -DskipTests"
              .formatted(file),
          e);
    }
  }

  /// @throws IllegalStateException if there is nothing
  static Figure figure(List<Measured> all, int runs) {
    if (all.isEmpty()) {
      throw new IllegalStateException(
          "No benchmark has such a name. Without --only, all run, and the JSON has their names.");
    }
    List<List<Object>> rows = new ArrayList<>();
    List<Map<String, @Nullable Object>> results = new ArrayList<>();
    for (Measured each : all) {
      Sample nanos = new Sample(each.nanos);
      rows.add(
          List.of(
              each.benchmark.replace("Benchmark.", "."),
              each.what + settings(each.params),
              "%.1f".formatted(nanos.median()),
              "%.1f to %.1f".formatted(nanos.least(), nanos.most()),
              "%.1f".formatted(each.bytes)));
      results.add(result(each, nanos));
    }
    Map<String, Object> facts = Machine.facts();
    facts.put("JVMs for each", runs);
    return new Figure(
            "micro",
            "The pieces of the hot path",
            facts,
            List.of("benchmark", "what", "ns", "spread", "bytes allocated"),
            rows,
            new Plot(
                "benchmark",
                "ns an operation",
                all.stream().map(each -> each.benchmark.replace("Benchmark.", ".")).toList(),
                List.of(
                    new Line(
                        "ns", all.stream().map(each -> new Sample(each.nanos).median()).toList()))))
        .withResults(results);
  }

  private static String settings(Map<String, String> params) {
    StringBuilder text = new StringBuilder();
    params.forEach((name, value) -> text.append(", ").append(name).append(' ').append(value));
    return text.toString();
  }

  private static Map<String, @Nullable Object> result(Measured each, Sample nanos) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("benchmark", each.benchmark);
    result.put("what", each.what);
    result.put("params", each.params);
    result.put("nanos", nanos.median());
    result.put("nanosLeast", nanos.least());
    result.put("nanosMost", nanos.most());
    result.put("runs", each.nanos);
    result.put("bytes", each.bytes);
    return result;
  }
}

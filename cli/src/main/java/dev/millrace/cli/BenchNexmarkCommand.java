package dev.millrace.cli;

import dev.millrace.benchmarks.nexmark.NexmarkBenchmark;
import dev.millrace.benchmarks.nexmark.NexmarkEngine;
import dev.millrace.benchmarks.nexmark.NexmarkSetup;
import dev.millrace.benchmarks.nexmark.NexmarkSetup.From;
import dev.millrace.benchmarks.nexmark.generator.Settings;
import dev.millrace.benchmarks.nexmark.query.Queries;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Runs the queries of Nexmark for Millrace and Flink.
@Command(
    name = "nexmark",
    mixinStandardHelpOptions = true,
    description = {
      "The queries q0 to q22 of Nexmark for Millrace and Flink, one after the other: events a"
          + " second, CPU seconds of the engine's process a million events, and how these compare."
          + " What each has answered is checked.",
      "",
      "The first run with Flink builds it, and downloads some 300 MB. Exit code 1 if an engine"
          + " fails or answers wrong."
    })
final class BenchNexmarkCommand implements Callable<Integer> {
  /// Those whose state matters, for events from Kafka.
  private static final List<String> FROM_KAFKA =
      List.of("q0", "q3", "q4", "q5", "q7", "q8", "q11", "q18");

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--queries",
      split = ",",
      paramLabel = "NAME",
      description =
          "Of q0 to q22; all if not said, and from Kafka q0, q3, q4, q5, q7, q8, q11 and q18.")
  private List<String> queries = List.of();

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      description = "Of millrace and flink; both if not said.")
  private List<String> engines = List.of();

  @Option(
      names = "--source",
      paramLabel = "NAME",
      description =
          "generator: each engine makes the events in its process, keeps state in memory and adds"
              + " results up; or kafka: events and results are in topics and state on disk, exactly"
              + " once [${DEFAULT-VALUE}].")
  private String source = "generator";

  @Option(
      names = "--events",
      paramLabel = "N",
      description =
          "That an engine processes for each query that keeps no bids [${DEFAULT-VALUE}]: q0 to q3,"
              + " q8, q10, q13, q14, q21 and q22.")
  private long events = 40_000_000;

  @Option(
      names = "--slow-events",
      paramLabel = "N",
      description = "The same for all other queries [${DEFAULT-VALUE}].")
  private long slowEvents = 10_000_000;

  @Option(
      names = "--events-per-second",
      paramLabel = "N",
      description = "In event time, so that windows have more or fewer [${DEFAULT-VALUE}].")
  private long eventsPerSecond = 10_000;

  @Option(names = "--seed", paramLabel = "N", description = "Of the events [${DEFAULT-VALUE}].")
  private long seed = 1;

  @Option(
      names = "--rehearsal",
      paramLabel = "SECONDS",
      description =
          "How long each engine's process first does the same, to warm up [${DEFAULT-VALUE}]; from"
              + " Kafka shorter if it has read all.")
  private int rehearsalSeconds = 30;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description = "-Xmx of each engine; what Millrace keeps lies outside [${DEFAULT-VALUE}].")
  private int heapMb = 6_144;

  @Option(
      names = "--cache",
      paramLabel = "MB",
      description =
          "What each engine may take for the cache or the blocks of state [${DEFAULT-VALUE}].")
  private long cacheMb = 256;

  @Override
  public Integer call() throws IOException, InterruptedException {
    NexmarkSetup setup = setup();
    PrintWriter out = spec.commandLine().getOut();
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) ->
            new NexmarkBenchmark(setup, directory, progress, row -> keep(row, out)),
        NexmarkBenchmark::run,
        NexmarkBenchmark::failures);
  }

  /// Prints what is measured, so that it remains if what takes an hour fails near its end.
  private static void keep(String row, PrintWriter out) {
    if (ProgressLine.onTerminal()) {
      out.println();
    }
    out.println(row);
    out.flush();
  }

  private NexmarkSetup setup() {
    try {
      From from = from();
      return new NexmarkSetup(
          queries(from),
          engines.isEmpty()
              ? List.of(NexmarkEngine.values())
              : engines.stream().distinct().map(NexmarkEngine::of).toList(),
          from,
          new Settings(seed, events, eventsPerSecond, Settings.START),
          slowEvents,
          rehearsalSeconds,
          options.runs(),
          heapMb,
          cacheMb << 20,
          BenchCommand.home());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  private From from() {
    return switch (source) {
      case "generator" -> From.GENERATOR;
      case "kafka" -> From.KAFKA;
      default ->
          throw new IllegalArgumentException(
              "There is no source '%s'; there are generator, kafka.".formatted(source));
    };
  }

  private List<String> queries(From from) {
    if (queries.isEmpty()) {
      return from == From.KAFKA ? FROM_KAFKA : Queries.ids();
    }
    queries.forEach(Queries::of);
    return queries.stream().distinct().toList();
  }
}

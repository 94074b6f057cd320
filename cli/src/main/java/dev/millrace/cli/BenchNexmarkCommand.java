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
      "Runs the queries q0 to q22 of Nexmark on Millrace and Flink, one after the other: events a"
          + " second, CPU seconds of the engine's process for a million events, and the ratio of"
          + " the two engines. Checks the results of both.",
      "",
      "The first run with Flink builds it and downloads about 300 MB. The exit code is 1 if an"
          + " engine fails or its results are wrong."
    })
final class BenchNexmarkCommand implements Callable<Integer> {
  /// The queries for events from Kafka: those whose state matters.
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
          "q0 to q22; default: all, and with --source kafka q0, q3, q4, q5, q7, q8, q11 and q18.")
  private List<String> queries = List.of();

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      description = "millrace or flink; default: both.")
  private List<String> engines = List.of();

  @Option(
      names = "--source",
      paramLabel = "NAME",
      description =
          "generator: each engine generates the events in its process, keeps state in memory and"
              + " adds the results up; or kafka: events and results are in topics and state is on"
              + " disk, exactly once. Default: ${DEFAULT-VALUE}.")
  private String source = "generator";

  @Option(
      names = "--events",
      paramLabel = "N",
      description =
          "Number of events that an engine processes for each query that keeps no bids (q0 to q3,"
              + " q8, q10, q13, q14, q21 and q22); default: ${DEFAULT-VALUE}.")
  private long events = 40_000_000;

  @Option(
      names = "--slow-events",
      paramLabel = "N",
      description = "Number of events for each of the other queries; default: ${DEFAULT-VALUE}.")
  private long slowEvents = 10_000_000;

  @Option(
      names = "--events-per-second",
      paramLabel = "N",
      description =
          "Events a second of event time, which determines how many events a window has; default:"
              + " ${DEFAULT-VALUE}.")
  private long eventsPerSecond = 10_000;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the generated events; default: ${DEFAULT-VALUE}.")
  private long seed = 1;

  @Option(
      names = "--rehearsal",
      paramLabel = "SECONDS",
      description =
          "How long each engine's process runs the query first, to warm up; with --source kafka, at"
              + " most until all events are read. Default: ${DEFAULT-VALUE}.")
  private int rehearsalSeconds = 30;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description =
          "The -Xmx of each engine; Millrace's state is outside the heap. Default:"
              + " ${DEFAULT-VALUE}.")
  private int heapMb = 6_144;

  @Option(
      names = "--cache",
      paramLabel = "MB",
      description =
          "Memory of each engine for the cache or the blocks of state; default: ${DEFAULT-VALUE}.")
  private long cacheMb = 256;

  @Override
  public Integer call() throws IOException, InterruptedException {
    NexmarkSetup setup = setup();
    PrintWriter out = spec.commandLine().getOut();
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) ->
            new NexmarkBenchmark(setup, directory, progress, row -> BenchCommand.keep(row, out)),
        NexmarkBenchmark::run,
        NexmarkBenchmark::failures);
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
              "There is no source '%s'. The sources are generator and kafka.".formatted(source));
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

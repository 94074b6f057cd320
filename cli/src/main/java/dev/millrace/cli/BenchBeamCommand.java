package dev.millrace.cli;

import dev.millrace.benchmarks.beam.BeamBenchmark;
import dev.millrace.benchmarks.beam.BeamRunner;
import dev.millrace.benchmarks.beam.BeamSetup;
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

/// Runs the queries of Beam's Nexmark on Millrace's and Flink's runner.
@Command(
    name = "beam",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the queries q0 to q14 of Apache Beam's Nexmark on Millrace's runner and on Flink's, one"
          + " after the other, with state on disk and exactly once: CPU seconds of the runner's"
          + " process for a million events, events a second, and the ratio of the two. Compares"
          + " their answers.",
      "",
      "The first run builds both and downloads about 500 MB. The exit code is 1 if a runner fails"
          + " or the answers differ."
    })
final class BenchBeamCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--queries",
      split = ",",
      paramLabel = "NAME",
      description = "q0 to q14; default: all.")
  private List<String> queries = List.of();

  @Option(
      names = "--runners",
      split = ",",
      paramLabel = "NAME",
      description = "millrace or flink; default: both.")
  private List<String> runners = List.of();

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "Number of events of each run; default: ${DEFAULT-VALUE}.")
  private long events = 500_000;

  @Option(
      names = "--warm",
      paramLabel = "N",
      description = "Runs in the same process before those measured; default: ${DEFAULT-VALUE}.")
  private int warm = 2;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description = "The -Xmx of each runner's process; default: ${DEFAULT-VALUE}.")
  private int heapMb = 3_072;

  @Override
  public Integer call() throws IOException, InterruptedException {
    BeamSetup setup = setup();
    PrintWriter out = spec.commandLine().getOut();
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) ->
            new BeamBenchmark(setup, directory, progress, row -> BenchCommand.keep(row, out)),
        BeamBenchmark::run,
        BeamBenchmark::failures);
  }

  private BeamSetup setup() {
    try {
      return new BeamSetup(
          queries.isEmpty() ? BeamSetup.all() : queries.stream().distinct().toList(),
          runners.isEmpty()
              ? List.of(BeamRunner.values())
              : runners.stream().distinct().map(BeamRunner::of).toList(),
          events,
          warm,
          options.runs(),
          heapMb,
          BenchCommand.home());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}

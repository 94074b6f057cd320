package dev.millrace.cli;

import dev.millrace.benchmarks.beam.python.JobServer;
import dev.millrace.benchmarks.beam.python.PythonBenchmark;
import dev.millrace.benchmarks.beam.python.PythonSetup;
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

/// Counts words in Python on Millrace's and Flink's job servers.
@Command(
    name = "beam-python",
    mixinStandardHelpOptions = true,
    description = {
      "Counts the words of a text by a pipeline of Apache Beam's Python SDK on Millrace's job"
          + " server and on Flink's, one after the other: words a second, and CPU seconds of the"
          + " server and of the program for a million words; and how long a whole program takes"
          + " that counts one line. Compares the counts with those of the text.",
      "",
      "The first run builds both, downloads about 500 MB, and has pip install the SDK of each. The"
          + " exit code is 1 if a server fails or counts wrong."
    })
final class BenchBeamPythonCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--runners",
      split = ",",
      paramLabel = "NAME",
      description = "millrace or flink; default: both.")
  private List<String> runners = List.of();

  @Option(
      names = "--words",
      paramLabel = "N",
      description = "Number of words of the text; default: ${DEFAULT-VALUE}.")
  private long words = 1_000_000;

  @Option(
      names = "--warm",
      paramLabel = "N",
      description = "Runs on the same server before those measured; default: ${DEFAULT-VALUE}.")
  private int warm = 2;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description = "The -Xmx of each server's process; default: ${DEFAULT-VALUE}.")
  private int heapMb = 2_048;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PythonSetup setup = setup();
    PrintWriter out = spec.commandLine().getOut();
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) ->
            new PythonBenchmark(setup, directory, progress, row -> BenchCommand.keep(row, out)),
        PythonBenchmark::run,
        PythonBenchmark::failures);
  }

  private PythonSetup setup() {
    try {
      return new PythonSetup(
          runners.isEmpty()
              ? List.of(JobServer.values())
              : runners.stream().distinct().map(JobServer::of).toList(),
          words,
          warm,
          options.runs(),
          heapMb,
          BenchCommand.home());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}

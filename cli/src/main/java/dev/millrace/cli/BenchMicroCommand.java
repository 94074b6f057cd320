package dev.millrace.cli;

import dev.millrace.benchmarks.jmh.MicroBenchmark;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Measures the pieces of the hot path.
@Command(
    name = "micro",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the pieces of the hot path, each by itself: parsing and encoding, operators,"
          + " stores, serdes, the changelog. Prints the time of an operation, which is one record,"
          + " and what it allocates.",
      "",
      "Runs in JMH, without Kafka, in separate JVMs; --runs is the number of JVMs for each"
          + " benchmark."
    })
final class BenchMicroCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description =
          "Run only benchmarks whose names contain a match, such as 'Codec' or 'Chain.*five'.")
  private String only = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    try {
      Pattern.compile(only);
    } catch (PatternSyntaxException e) {
      throw new ParameterException(
          spec.commandLine(), "--only is not a regular expression: " + e.getDescription());
    }
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) ->
            new MicroBenchmark(BenchCommand.home(), only, options.runs(), directory, progress)
                .run());
  }
}

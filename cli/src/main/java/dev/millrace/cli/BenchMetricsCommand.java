package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.benchmarks.metrics.MetricsBenchmark;
import dev.millrace.benchmarks.metrics.MetricsBenchmark.Setup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Measures what metrics cost.
@Command(
    name = "metrics",
    mixinStandardHelpOptions = true,
    description = {
      "What metrics cost: the part of the processor time of a job at full speed that goes to what"
          + " counts, measures and tells them, as samples of the JVM show, while all of them are"
          + " asked for once a second.",
      "",
      "Exit code 1 if it may be more than 2 %%: if the upper end of the interval of 95 %% is above"
          + " that."
    })
final class BenchMetricsCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(names = "--keys", paramLabel = "N", description = "Numbers of keys [${DEFAULT-VALUE}].")
  private long keys = 10_000;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records of 100 bytes that each job processes [${DEFAULT-VALUE}].")
  private long records = 20_000_000;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> failures = new ArrayList<>();
    int done =
        BenchCommand.measure(
            spec,
            options,
            (directory, progress) -> {
              MetricsBenchmark benchmark =
                  new MetricsBenchmark(
                      new Setup(keys, records, options.runs()), directory, progress);
              var figure = benchmark.run();
              failures.addAll(benchmark.failures());
              return figure;
            });
    if (!failures.isEmpty()) {
      throw new UserException(ExitCode.FAILED, String.join("\n", failures));
    }
    return done;
  }
}

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
      "Measures what metrics cost: the share of a job's processor time at full speed that is spent"
          + " on counting, measuring and serving them, by samples of the JVM, while all metrics are"
          + " requested once a second.",
      "",
      "The exit code is 1 if the share may be more than 2 %%, that is, if the upper end of its 95"
          + " %% confidence interval is."
    })
final class BenchMetricsCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Numbers of keys; default: ${DEFAULT-VALUE}.")
  private long keys = 10_000;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records of 100 bytes that each job processes; default: ${DEFAULT-VALUE}.")
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

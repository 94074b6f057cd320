package dev.millrace.cli;

import dev.millrace.benchmarks.pauses.PausesBenchmark;
import dev.millrace.benchmarks.pauses.PausesBenchmark.Setup;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Measures how long workers stand still.
@Command(
    name = "pauses",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how long commits and flushes stop workers while records are counted by key at full"
          + " speed, with state on disk, a changelog and a commit every second; and the time from"
          + " an aborted commit until a record is processed again.",
      "",
      "--runs is the number of rounds, after one that warms up."
    })
final class BenchPausesCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Number of keys; default: ${DEFAULT-VALUE}.")
  private long keys = 1_000_000;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records of 100 bytes that each job processes; default: ${DEFAULT-VALUE}.")
  private long records = 40_000_000;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) ->
            new PausesBenchmark(new Setup(keys, records, options.runs()), directory, progress)
                .run());
  }
}

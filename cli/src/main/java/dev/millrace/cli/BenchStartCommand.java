package dev.millrace.cli;

import dev.millrace.benchmarks.start.StartBenchmark;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Measures how long a start takes.
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how long a process takes from its start to its first record and to its first"
          + " committed output: for an application that never ran, one that was stopped, and one"
          + " that was killed; on both data planes; with the launcher's JVM options, which include"
          + " an AOT cache, and without them. Checks the counts."
    })
final class BenchStartCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Override
  public Integer call() throws IOException, InterruptedException {
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) -> new StartBenchmark(options.runs(), directory, progress).run());
  }
}

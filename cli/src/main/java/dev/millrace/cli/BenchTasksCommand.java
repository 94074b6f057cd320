package dev.millrace.cli;

import dev.millrace.benchmarks.tasks.TasksBenchmark;
import dev.millrace.benchmarks.tasks.TasksBenchmark.Setup;
import dev.millrace.kafka.DataPlane;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Measures what many tasks cost.
@Command(
    name = "tasks",
    mixinStandardHelpOptions = true,
    description = {
      "Measures what many tasks cost: two workers count the same records by key, from a topic of 4"
          + " partitions and from one of 200, with a changelog and a commit every second.",
      "",
      "The jobs run one after the other, in alternating order; --runs is the number of rounds, at"
          + " least 5 for a figure."
    })
final class BenchTasksCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--tasks",
      split = ",",
      paramLabel = "N",
      description = "Numbers of partitions; default: 4,200.")
  private List<Integer> tasks = List.of(4, 200);

  @Option(
      names = "--data-plane",
      paramLabel = "NAME",
      description = "Data plane: official or direct; default: ${DEFAULT-VALUE}.")
  private DataPlane plane = DataPlane.DIRECT;

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Numbers of keys; default: ${DEFAULT-VALUE}.")
  private long keys = 100_000;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records of 100 bytes that each job processes; default: ${DEFAULT-VALUE}.")
  private long records = 10_000_000;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) ->
            new TasksBenchmark(
                    new Setup(tasks, plane, keys, records, options.runs()), directory, progress)
                .run());
  }
}

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
      "What it costs to have many tasks: the same records counted by key from a topic of 4"
          + " partitions and from one of 200, by two workers, with a changelog and a commit a"
          + " second.",
      "",
      "The jobs run one after the other, forwards and backwards in turn; --runs is how often, 5 at"
          + " least for a figure."
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
      description = "Numbers of partitions; 4,200 if not said.")
  private List<Integer> tasks = List.of(4, 200);

  @Option(
      names = "--data-plane",
      paramLabel = "NAME",
      description = "official or direct [${DEFAULT-VALUE}].")
  private DataPlane plane = DataPlane.DIRECT;

  @Option(names = "--keys", paramLabel = "N", description = "Numbers of keys [${DEFAULT-VALUE}].")
  private long keys = 100_000;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records of 100 bytes that each job processes [${DEFAULT-VALUE}].")
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

package dev.millrace.cli;

import dev.millrace.benchmarks.breakeven.BreakEvenBenchmark;
import dev.millrace.benchmarks.breakeven.BreakEvenBenchmark.Setup;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Measures the break-even of checkpoints and changelog.
@Command(
    name = "break-even",
    mixinStandardHelpOptions = true,
    description = {
      "Reproduces figure 7 of Noghabi et al. (2017): the number of changes a second up to which a"
          + " changelog writes less than checkpoints of the whole state, by the formula and as"
          + " measured with a state that fits this machine. Checks the counts.",
      "",
      "With --runs 1 --state 20 --seconds 3, it takes about a minute."
    })
final class BenchBreakEvenCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--state",
      paramLabel = "MB",
      description = "Size of the keys and values of the state; default: ${DEFAULT-VALUE}.")
  private long stateMb = 200;

  @Option(
      names = "--entry-bytes",
      split = ",",
      paramLabel = "N",
      description = "Sizes of a key and its value in bytes; default: 100,1000.")
  private List<Integer> entryBytes = List.of(100, 1_000);

  @Option(
      names = "--rates",
      split = ",",
      paramLabel = "N",
      description =
          "Changes a second; default: 2000,20000,100000,200000. Below the lowest rate, the"
              + " changelog is assumed to grow in proportion to the rate, so choose one at which a"
              + " commit merges little.")
  private List<Integer> rates = List.of(2_000, 20_000, 100_000, 200_000);

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each rate is measured; default: ${DEFAULT-VALUE}.")
  private int seconds = 10;

  @Option(
      names = "--intervals",
      split = ",",
      paramLabel = "N",
      description = "Seconds between checkpoints; default: 10,30,60,600,1200,5400.")
  private List<Integer> intervals = List.of(10, 30, 60, 600, 1_200, 5_400);

  @Override
  public Integer call() throws IOException, InterruptedException {
    Setup setup = setup();
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) -> new BreakEvenBenchmark(setup, directory, progress).run());
  }

  private Setup setup() {
    try {
      return new Setup(stateMb * 1_000_000, entryBytes, rates, seconds, intervals, options.runs());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}

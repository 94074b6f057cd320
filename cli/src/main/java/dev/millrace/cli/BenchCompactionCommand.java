package dev.millrace.cli;

import dev.millrace.benchmarks.compaction.CompactionBenchmark;
import dev.millrace.benchmarks.compaction.CompactionBenchmark.Setup;
import dev.millrace.benchmarks.compaction.Keeping;
import dev.millrace.benchmarks.compaction.Logging;
import dev.millrace.benchmarks.compaction.Policy;
import dev.millrace.benchmarks.report.Names;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Measures changelogs and the broker that compacts them.
@Command(
    name = "compaction",
    mixinStandardHelpOptions = true,
    description = {
      "Reproduces figures 3 to 9 of Chronarakis et al.: how large the changelog of windows becomes,"
          + " and how much processor time the broker uses, without compaction, with relaxed and"
          + " with aggressive compaction. Checks the counts of the windows.",
      "",
      "Each case takes about ten seconds more than --seconds; with --runs 1 --seconds 5 and one"
          + " kind of windows, the benchmark takes about two minutes."
    })
final class BenchCompactionCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--changelogs",
      split = ",",
      paramLabel = "NAME",
      description =
          "millrace (at each commit, each key that changed is written once) or per-update (one"
              + " record for each update, as in Samza); default: both.")
  private List<String> changelogs = List.of();

  @Option(
      names = "--windows",
      split = ",",
      paramLabel = "NAME",
      description = "folding or retaining; default: both.")
  private List<String> windows = List.of();

  @Option(
      names = "--policies",
      split = ",",
      paramLabel = "NAME",
      description = "none, relaxed or aggressive; default: all.")
  private List<String> policies = List.of();

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Tuples of 100 bytes a second; default: ${DEFAULT-VALUE}.")
  private int rate = 50_000;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each case is measured; default: ${DEFAULT-VALUE}.")
  private int seconds = 60;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Setup setup = setup();
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) -> new CompactionBenchmark(setup, directory, progress).run());
  }

  private Setup setup() {
    try {
      return new Setup(
          Names.asked(Logging.class, changelogs),
          Names.asked(Keeping.class, windows),
          Names.asked(Policy.class, policies),
          rate,
          seconds,
          options.runs());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}

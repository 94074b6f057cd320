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
      "Figures 3 to 9 of Chronarakis et al.: how large the changelog of windows becomes, and how"
          + " much of a processor the broker uses, if it compacts it not at all, relaxed or"
          + " aggressively. What the windows have counted is checked.",
      "",
      "Each case takes --seconds and some ten seconds more; with --runs 1 --seconds 5 and one kind"
          + " of windows all of it takes about two minutes."
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
          "Of millrace (what a commit changed, each key once) and per-update (a record an update,"
              + " as Samza writes); both if not said.")
  private List<String> changelogs = List.of();

  @Option(
      names = "--windows",
      split = ",",
      paramLabel = "NAME",
      description = "Of folding and retaining; both if not said.")
  private List<String> windows = List.of();

  @Option(
      names = "--policies",
      split = ",",
      paramLabel = "NAME",
      description = "Of none, relaxed and aggressive; all if not said.")
  private List<String> policies = List.of();

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Tuples of 100 bytes a second [${DEFAULT-VALUE}].")
  private int rate = 50_000;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long they come in each case [${DEFAULT-VALUE}].")
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

package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.benchmarks.containers.ContainersBenchmark;
import dev.millrace.benchmarks.containers.ContainersBenchmark.Setup;
import dev.millrace.benchmarks.containers.ContainersBenchmark.Size;
import dev.millrace.benchmarks.containers.Rows;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Measures what it costs that containers come, go and die.
@Command(
    name = "containers",
    mixinStandardHelpOptions = true,
    description = {
      "Has containers of an application under load come, go and die, and measures how long which"
          + " partitions have no results, how soon a death is noticed, and whether tasks find their"
          + " state again; and compares all results with those computed from the input alone.",
      "",
      "Kafka and all containers are processes of their own on this machine. The exit code is 1 if a"
          + " result is lost, counted twice or wrong, or if a row comes to no end."
    })
final class BenchContainersCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "NAME",
      description = "What is measured, such as kill,others; default: all.")
  private List<String> rows = List.of();

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Events a second; default: ${DEFAULT-VALUE}.")
  private int rate = 5_000;

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Keys of the state, about 150 bytes each; default: ${DEFAULT-VALUE}.")
  private int keys = 50_000;

  @Option(names = "--quick", description = "Do next to nothing, to see that it runs.")
  private boolean quick;

  @Option(
      names = "--restarts",
      paramLabel = "N",
      description = "Restarts drawn by a seed, in each run; default: 40.")
  private @Nullable Integer restarts;

  @Option(
      names = "--moves",
      paramLabel = "N",
      description = "Tasks that are handed over, in each run; default: 200.")
  private @Nullable Integer moves;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Setup setup = setup();
    List<String> failures = new ArrayList<>();
    int done =
        BenchCommand.measure(
            spec,
            options,
            (directory, progress) -> {
              ContainersBenchmark benchmark = new ContainersBenchmark(setup, directory, progress);
              Figure figure = benchmark.run();
              failures.addAll(benchmark.failures());
              return figure;
            });
    if (!failures.isEmpty()) {
      throw new UserException(
          ExitCode.FAILED, "Results are wrong or missing:\n  " + String.join("\n  ", failures));
    }
    return done;
  }

  private Size size() {
    Size size = quick ? Size.QUICK : Size.FULL;
    return size.with(
        Objects.requireNonNullElse(moves, size.moves()),
        Objects.requireNonNullElse(restarts, size.restarts()));
  }

  private Setup setup() {
    try {
      return new Setup(
          Names.asked(Rows.class, rows),
          options.runs(),
          rate,
          16,
          keys,
          size(),
          BenchCommand.home());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}

package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.benchmarks.recovery.RecoveryBenchmark;
import dev.millrace.benchmarks.recovery.RestoreBenchmark;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Measures what the papers measured.
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = BenchMemoryCommand.class,
    description = {
      "Measures Millrace as the papers about Samza measured it, on this machine.",
      "",
      "Kafka and the job run in processes of their own. Nothing else should be running."
    })
final class BenchCommand implements Runnable {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which benchmark?");
  }

  /// What every benchmark can be told.
  static final class Options {
    @Option(
        names = "--runs",
        paramLabel = "N",
        description = "Runs of each case, of which the median counts; 3 if not said.")
    private int runs = 3;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the table as JSON.")
    private @Nullable Path json;

    @Option(names = "--svg", paramLabel = "FILE", description = "Also write the plot as SVG.")
    private @Nullable Path svg;

    @Option(
        names = "--directory",
        paramLabel = "DIR",
        description =
            "For the data of Kafka and the jobs, some GB; a temporary one if not said. It must be"
                + " empty, and is empty again at the end.")
    private @Nullable Path directory;
  }

  @Command(
      name = "recovery",
      mixinStandardHelpOptions = true,
      description = {
        "Figure 11 of Noghabi et al. (2017): how long a job takes to be back after 6 %% and 50 %%"
            + " of its tasks were killed, by the size of its state, with and without the local"
            + " state."
      })
  int recovery(
      @Mixin Options options,
      @Option(
              names = "--keys",
              split = ",",
              paramLabel = "N",
              defaultValue = "250000,1000000,4000000",
              description = "Sizes of the state in keys of 100 bytes [${DEFAULT-VALUE}].")
          List<Long> keys)
      throws IOException, InterruptedException {
    return measure(
        spec,
        options,
        (directory, progress) ->
            new RecoveryBenchmark(keys, options.runs, directory, progress).run());
  }

  @Command(
      name = "restore",
      mixinStandardHelpOptions = true,
      description = {
        "Table I of Zapridou et al.: how long the state of folding and of retaining windows takes"
            + " to be restored from the changelog alone, by the number of tuples that went into it."
      })
  int restore(
      @Mixin Options options,
      @Option(
              names = "--tuples",
              split = ",",
              paramLabel = "N",
              defaultValue = "1000000,3000000,6000000",
              description = "Numbers of tuples of 100 bytes [${DEFAULT-VALUE}].")
          List<Long> tuples)
      throws IOException, InterruptedException {
    return measure(
        spec,
        options,
        (directory, progress) ->
            new RestoreBenchmark(tuples, options.runs, directory, progress).run());
  }

  /// Measures something.
  @FunctionalInterface
  interface Benchmark {
    Figure run(Path directory, Consumer<String> progress)
        throws IOException, InterruptedException, TimeoutException, ExecutionException;
  }

  static int measure(CommandSpec spec, Options options, Benchmark benchmark)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    ProgressLine progress = new ProgressLine(out, ProgressLine.onTerminal());
    long startNanos = System.nanoTime();
    Path directory = directory(options);
    try {
      Figure figure = benchmark.run(directory, progress::show);
      progress.end("%s: measured in %s.".formatted(figure.title(), Elapsed.since(startNanos)));
      print(figure, out);
      if (options.json != null) {
        Figures.writeJson(figure, options.json);
      }
      if (options.svg != null) {
        Figures.writeSvg(figure, options.svg);
      }
      return ExitCode.DONE;
    } catch (TimeoutException | ExecutionException | IllegalStateException e) {
      throw new UserException(ExitCode.FAILED, String.valueOf(e.getMessage()));
    } finally {
      empty(directory);
    }
  }

  private static Path directory(Options options) throws IOException {
    Path asked = options.directory;
    if (asked == null) {
      return Files.createTempDirectory("millrace-bench");
    }
    Files.createDirectories(asked);
    try (Stream<Path> files = Files.list(asked)) {
      if (files.findAny().isPresent()) {
        throw new UserException(
            ExitCode.USAGE, asked + " is not empty. Name a directory that may be emptied.");
      }
    }
    return asked.toAbsolutePath();
  }

  private static void empty(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static void print(Figure figure, PrintWriter out) {
    TextTable table = new TextTable(figure.columns().toArray(String[]::new));
    for (List<Object> row : figure.rows()) {
      table.add(row.stream().map(BenchCommand::text).toArray(String[]::new));
    }
    table.print(out);
    out.println(figure.facts());
    out.flush();
  }

  private static String text(Object cell) {
    return cell instanceof Long number ? "%,d".formatted(number) : String.valueOf(cell);
  }
}

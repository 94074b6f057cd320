package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.benchmarks.commit.CommitBenchmark;
import dev.millrace.benchmarks.peer.Engine;
import dev.millrace.benchmarks.peer.PeerRestoreBenchmark;
import dev.millrace.benchmarks.peer.PeerRestoreBenchmark.Setup;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.recovery.RecoveryBenchmark;
import dev.millrace.benchmarks.recovery.RestoreBenchmark;
import dev.millrace.benchmarks.report.Figure;
import dev.millrace.benchmarks.report.Figures;
import dev.millrace.benchmarks.state.StateBenchmark;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
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
    subcommands = {
      BenchBeamCommand.class,
      BenchBeamPythonCommand.class,
      BenchBreakEvenCommand.class,
      BenchChangeCommand.class,
      BenchContainersCommand.class,
      BenchCompactionCommand.class,
      BenchLocalStateCommand.class,
      BenchMemoryCommand.class,
      BenchMetricsCommand.class,
      BenchMicroCommand.class,
      BenchNexmarkCommand.class,
      BenchPausesCommand.class,
      BenchScenariosCommand.class,
      BenchStartCommand.class,
      BenchTasksCommand.class
    },
    description = {
      "Runs benchmarks on this machine, among them those of the papers about Samza.",
      "",
      "Kafka and the job run in separate processes. Nothing else should run on the machine"
          + " meanwhile."
    })
final class BenchCommand implements Runnable {
  /// Characters of a fact that has a line of its own below the table.
  private static final int LONG_FACT = 60;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which benchmark?");
  }

  /// The options of every benchmark.
  static final class Options {
    @Option(
        names = "--runs",
        paramLabel = "N",
        description = "Runs of each case, whose median is reported; default: 3.")
    private int runs = 3;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the table as JSON.")
    private @Nullable Path json;

    @Option(names = "--svg", paramLabel = "FILE", description = "Also write the plot as SVG.")
    private @Nullable Path svg;

    @Option(
        names = "--directory",
        paramLabel = "DIR",
        description =
            "An empty directory for the data of Kafka and the jobs, several GB; default: a"
                + " temporary one. It is emptied at the end.")
    private @Nullable Path directory;

    int runs() {
      return runs;
    }
  }

  @Command(
      name = "recovery",
      mixinStandardHelpOptions = true,
      description = {
        "Reproduces figure 11 of Noghabi et al. (2017): how long a job takes to recover after 6 %%"
            + " and 50 %% of its tasks were killed, by the size of its state, with and without the"
            + " local state."
      })
  int recovery(
      @Mixin Options options,
      @Option(
              names = "--keys",
              split = ",",
              paramLabel = "N",
              defaultValue = "250000,1000000,4000000",
              description = "Sizes of the state in keys of 100 bytes; default: ${DEFAULT-VALUE}.")
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
        "Reproduces table I of Chronarakis et al.: how long it takes to restore the state of"
            + " folding and of retaining windows from the changelog alone, by the number of tuples"
            + " in the windows.",
        "",
        "With --peers or --engines, it compares Millrace with Kafka Streams and Flink."
      })
  int restore(
      @Mixin Options options,
      @Option(
              names = "--tuples",
              split = ",",
              paramLabel = "N",
              defaultValue = "1000000,3000000,6000000",
              description = "Numbers of tuples of 100 bytes; default: ${DEFAULT-VALUE}.")
          List<Long> tuples,
      @Mixin Engines engines)
      throws IOException, InterruptedException {
    if (engines.asked()) {
      List<Engine> all = engines.all(spec);
      return measure(
          spec,
          options,
          (directory, progress) ->
              new PeerRestoreBenchmark(
                      new Setup(all, engines.keys, options.runs, home()), directory, progress)
                  .run());
    }
    return measure(
        spec,
        options,
        (directory, progress) ->
            new RestoreBenchmark(tuples, options.runs, directory, progress).run());
  }

  @Command(
      name = "commit",
      mixinStandardHelpOptions = true,
      description = {
        "Measures what the changelog and exactly-once processing cost a job that counts by key and"
            + " commits every second: its rate and CPU time with both, without the changelog, and"
            + " with at-least-once processing.",
        "",
        "The jobs run one after the other, in alternating order; --runs is the number of rounds, at"
            + " least 5 for a figure."
      })
  int commit(
      @Mixin Options options,
      @Option(
              names = "--keys",
              split = ",",
              paramLabel = "N",
              defaultValue = "10000,1000000",
              description = "Numbers of keys; default: ${DEFAULT-VALUE}.")
          List<Long> keys,
      @Option(
              names = "--records",
              paramLabel = "N",
              defaultValue = "5000000",
              description =
                  "Records of 100 bytes that each job processes; default: ${DEFAULT-VALUE}.")
          long records)
      throws IOException, InterruptedException {
    return measure(
        spec,
        options,
        (directory, progress) ->
            new CommitBenchmark(keys, records, options.runs, directory, progress).run());
  }

  @Command(
      name = "state",
      mixinStandardHelpOptions = true,
      description = {
        "Measures what state on disk costs: where it fits into the cache, compared with state in"
            + " memory; and where it is ten times as large as the cache, compared with a get and a"
            + " put of RocksDB for each record.",
        "",
        "--runs is the number of runs of the first pair, and the number of parts into which the"
            + " second pair is divided."
      })
  int state(
      @Mixin Options options,
      @Option(
              names = "--cached-keys",
              paramLabel = "N",
              defaultValue = "200000",
              description =
                  "Number of keys of 100 bytes, all of which fit into the cache; default:"
                      + " ${DEFAULT-VALUE}.")
          long cachedKeys,
      @Option(
              names = "--large-keys",
              paramLabel = "N",
              defaultValue = "10000000",
              description =
                  "Number of keys of 100 bytes, a tenth of which fits into the cache; default:"
                      + " ${DEFAULT-VALUE}.")
          long largeKeys,
      @Option(
              names = "--records",
              paramLabel = "N",
              defaultValue = "4000000",
              description = "Records that each job processes; default: ${DEFAULT-VALUE}.")
          long records)
      throws IOException, InterruptedException {
    return measure(
        spec,
        options,
        (directory, progress) ->
            new StateBenchmark(
                    new StateBenchmark.Setup(cachedKeys, largeKeys, records, options.runs),
                    directory,
                    progress)
                .run());
  }

  /// Which engines to measure beside each other.
  static final class Engines {
    @Option(
        names = "--peers",
        description = {
          "Compare all engines instead: one after the other, each restores the same state after its"
              + " local disk was lost. The first run builds the other engines and downloads about"
              + " 150 MB."
        })
    private boolean peers;

    @Option(
        names = "--engines",
        split = ",",
        paramLabel = "NAME",
        description =
            "As --peers, with only these engines: millrace, millrace-snapshots, kstreams, flink.")
    private List<String> engines = List.of();

    @Option(
        names = "--keys",
        paramLabel = "N",
        defaultValue = "3000000",
        description =
            "With --peers or --engines: size of the state in keys of 100 bytes; default:"
                + " ${DEFAULT-VALUE}.")
    private long keys;

    private boolean asked() {
      return peers || !engines.isEmpty();
    }

    private List<Engine> all(CommandSpec spec) {
      try {
        return engines.isEmpty()
            ? List.of(Engine.values())
            : engines.stream().map(Engine::of).toList();
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
      }
    }
  }

  /// Returns the working copy that this was built in.
  static Path home() {
    return Path.of(Objects.requireNonNullElse(System.getProperty("millrace.home"), ""))
        .toAbsolutePath();
  }

  /// Prints what is measured, so that it remains if what takes an hour fails near its end.
  static void keep(String row, PrintWriter out) {
    if (ProgressLine.onTerminal()) {
      out.println();
    }
    out.println(row);
    out.flush();
  }

  /// Measures something.
  @FunctionalInterface
  interface Benchmark {
    Figure run(Path directory, Consumer<String> progress)
        throws IOException, InterruptedException, TimeoutException, ExecutionException;
  }

  /// Runs a benchmark of which rows may be missing at the end, which is said then.
  ///
  /// @param failures the missing rows, in words
  static <B> int measure(
      CommandSpec spec,
      Options options,
      BiFunction<Path, Consumer<String>, B> benchmark,
      Runs<B> runs,
      Function<B, List<String>> failures)
      throws IOException, InterruptedException {
    List<String> missing = new ArrayList<>();
    int done =
        measure(
            spec,
            options,
            (directory, progress) -> {
              B made = benchmark.apply(directory, progress);
              Figure figure = runs.run(made);
              missing.addAll(failures.apply(made));
              return figure;
            });
    if (!missing.isEmpty()) {
      throw new UserException(
          ExitCode.FAILED, "Some rows are missing:\n  " + String.join("\n  ", missing));
    }
    return done;
  }

  /// Runs a benchmark that was made.
  @FunctionalInterface
  interface Runs<B> {
    Figure run(B benchmark)
        throws InterruptedException, TimeoutException, ExecutionException, IOException;
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
      Directories.delete(directory);
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
            ExitCode.USAGE,
            asked + " is not empty. Name an empty directory, or one that does not exist.");
      }
    }
    return asked.toAbsolutePath();
  }

  private static void print(Figure figure, PrintWriter out) {
    TextTable table = new TextTable(figure.columns().toArray(String[]::new));
    for (List<Object> row : figure.rows()) {
      table.add(row.stream().map(BenchCommand::text).toArray(String[]::new));
    }
    table.print(out);
    Map<String, Object> brief = new LinkedHashMap<>(figure.facts());
    brief.values().removeIf(BenchCommand::isLong);
    out.println(brief);
    figure
        .facts()
        .forEach((name, fact) -> {
          if (isLong(fact)) {
            out.println(name + ": " + fact);
          }
        });
    out.flush();
  }

  private static boolean isLong(Object fact) {
    return String.valueOf(fact).length() > LONG_FACT;
  }

  private static String text(Object cell) {
    return cell instanceof Long number ? "%,d".formatted(number) : String.valueOf(cell);
  }
}

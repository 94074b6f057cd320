package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.benchmarks.change.Change;
import dev.millrace.benchmarks.change.ChangeBenchmark;
import dev.millrace.benchmarks.change.ChangeBenchmark.Setup;
import dev.millrace.benchmarks.change.Contender;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.LauncherOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Measures what a change of a program with state costs.
@Command(
    name = "change",
    mixinStandardHelpOptions = true,
    description = {
      "Changes a program that has state under a steady input: an operator is added, renamed and"
          + " removed, a field is added and widened, a change is rolled out over two containers,"
          + " and values are migrated, rolled back and migrated again. Measures the time without"
          + " results, what is written to the changelog and to disk, how long 'millrace plan"
          + " --diff', 'deploy finalize' and 'deploy rollback' take, and what migrations cost"
          + " beside work, beside a stop and a start without a change; and compares all results"
          + " with those computed from the input alone.",
      "",
      "Beside it, Flink and Kafka Streams make the same change as far as they can. The exit code is"
          + " 1 if a result of Millrace is wrong."
    })
final class BenchChangeCommand implements Callable<Integer> {
  private static final Pattern SIZE = Pattern.compile("(\\d+)(MB|GB)");
  private static final long MEGABYTE = 1_000_000;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--state",
      paramLabel = "SIZE",
      description = "Size of the state, such as 64MB or 10GB; default: ${DEFAULT-VALUE}.")
  private String state = "10GB";

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      description = "millrace, flink or kstreams; default: all.")
  private List<String> engines = List.of();

  @Option(
      names = "--changes",
      split = ",",
      paramLabel = "NAME",
      description =
          "What is changed, such as add-field,roll-back; default: all. Each brings what comes"
              + " before it and is left out.")
  private List<String> changes = List.of();

  @Option(
      names = "--work",
      paramLabel = "N",
      description =
          "Records that are processed at once where the cost of a migration is measured; default:"
              + " ${DEFAULT-VALUE}.")
  private long work = 500_000;

  @Option(
      names = "--await-migration",
      description =
          "Waits until the last migration has migrated all values, instead of measuring work beside"
              + " it, and compares that with what 'millrace plan --diff' predicted.")
  private boolean migrationIsAwaited;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Records a second while the program is changed; default: ${DEFAULT-VALUE}.")
  private int rate = 2_000;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long is measured after the first results of each start; default: ${DEFAULT-VALUE}.")
  private int seconds = 20;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Setup setup = setup();
    AtomicReference<@Nullable ChangeBenchmark> ran = new AtomicReference<>();
    int done =
        BenchCommand.measure(
            spec,
            options,
            (directory, progress) -> {
              ChangeBenchmark benchmark = new ChangeBenchmark(setup, directory, progress);
              ran.set(benchmark);
              return benchmark.run();
            });
    ChangeBenchmark benchmark = ran.get();
    List<String> failures = benchmark == null ? List.of() : benchmark.failures();
    if (!failures.isEmpty()) {
      throw new UserException(
          ExitCode.FAILED, "Results are wrong:\n  " + String.join("\n  ", failures));
    }
    return done;
  }

  private Setup setup() {
    try {
      return new Setup(
          engines.isEmpty()
              ? List.of(Contender.values())
              : engines.stream().distinct().map(Contender::of).toList(),
          changes(),
          bytes(),
          rate,
          work,
          migrationIsAwaited,
          Duration.ofSeconds(seconds),
          options.runs(),
          Program.of(
              Main.class,
              Stream.concat(
                      Stream.of("-Xms64m", "-Xmx1g"),
                      LauncherOptions.ofThisProcess().options(true).stream())
                  .toArray(String[]::new)),
          BenchCommand.home());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  private List<Change> changes() {
    return (changes.isEmpty() ? Stream.of(Change.values()) : changes.stream().map(Change::of))
        .filter(each -> each != Change.NONE)
        .distinct()
        .sorted()
        .toList();
  }

  private long bytes() {
    Matcher size = SIZE.matcher(state.toUpperCase(Locale.ROOT));
    if (!size.matches()) {
      throw new IllegalArgumentException(
          "--state %s: a size is a number of MB or GB, such as 10GB.".formatted(state));
    }
    long megabytes = Long.parseLong(Objects.requireNonNull(size.group(1)));
    return megabytes * MEGABYTE * ("GB".equals(size.group(2)) ? 1_000 : 1);
  }
}

package dev.millrace.cli;

import dev.millrace.benchmarks.scenarios.Contender;
import dev.millrace.benchmarks.scenarios.Distribution;
import dev.millrace.benchmarks.scenarios.Scenario;
import dev.millrace.benchmarks.scenarios.ScenarioBenchmark;
import dev.millrace.benchmarks.scenarios.ScenarioBenchmark.Latencies;
import dev.millrace.benchmarks.scenarios.ScenarioBenchmark.Setup;
import dev.millrace.benchmarks.scenarios.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Runs the scenarios of the Samza benchmark of 2015 for Millrace and other engines.
@Command(
    name = "scenarios",
    mixinStandardHelpOptions = true,
    description = {
      "The scenarios of the Samza benchmark of 2015, and an exchange, for Millrace and other"
          + " engines, one after the other against the same Kafka: records a second, CPU seconds of"
          + " the engine's process and of Kafka's a million records, and the engine's peak memory."
          + " What each has counted is checked.",
      "",
      "The first run builds the other engines, and downloads some 300 MB. Exit code 1 if an engine"
          + " fails or counts wrong."
    })
final class BenchScenariosCommand implements Callable<Integer> {
  private static final int SLOW_PART = 5;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--scenarios",
      split = ",",
      paramLabel = "NAME",
      description =
          "Of pass, count-memory, count-disk, count-disk-changelog, exchange; all if not said.")
  private List<String> scenarios = List.of();

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      description =
          "Of millrace, millrace-official, millrace-direct-exchanges, millrace-at-least-once,"
              + " flink, kstreams, kstreams-at-least-once, jet, samza, by-hand; all if not said.")
  private List<String> engines = List.of();

  @Option(
      names = "--keys",
      split = ",",
      paramLabel = "N",
      description = "Numbers of keys; 10000,1000000 if not said.")
  private List<Long> keys = List.of(10_000L, 1_000_000L);

  @Option(
      names = "--distribution",
      paramLabel = "NAME",
      description = "uniform, or zipf with exponent 0.99 [${DEFAULT-VALUE}].")
  private String distribution = "uniform";

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "That an engine processes in each scenario [${DEFAULT-VALUE}].")
  private long records = 50_000_000;

  @Option(
      names = "--slow-records",
      paramLabel = "N",
      description =
          "That Kafka Streams and Samza process instead, and Flink and by-hand with state on disk;"
              + " a fifth of the others' if not said.")
  private @Nullable Long slowRecords;

  @Option(
      names = "--rehearsal",
      paramLabel = "SECONDS",
      description =
          "How long each engine's process first does the same, to warm up [${DEFAULT-VALUE}].")
  private int rehearsalSeconds = 20;

  @Option(
      names = "--record-bytes",
      paramLabel = "N",
      description = "Of key and value of a record [${DEFAULT-VALUE}].")
  private int recordBytes = 100;

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      description = "Of the input: none, lz4, zstd, snappy or gzip [${DEFAULT-VALUE}].")
  private String compression = "none";

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description = "-Xmx of each engine [${DEFAULT-VALUE}].")
  private int heapMb = 2_048;

  @Option(
      names = "--cache",
      paramLabel = "MB",
      description =
          "What each engine may take for the cache or the blocks of state on disk"
              + " [${DEFAULT-VALUE}].")
  private long cacheMb = 256;

  @Option(
      names = "--page-cache",
      paramLabel = "NAME",
      description =
          "full: filled before each case, as where a broker has been running for a while; or as-is"
              + " [${DEFAULT-VALUE}].")
  private String pageCache = "full";

  @Option(
      names = "--latency",
      description =
          "Also measure the time from input to committed output of what is passed on, at half the"
              + " rate that the engine has reached.")
  private boolean latency;

  @Option(
      names = "--latency-rates",
      split = ",",
      paramLabel = "N",
      description = "And at these records a second, where the engine reaches them.")
  private List<Long> latencyRates = List.of();

  @Option(
      names = "--latency-seconds",
      paramLabel = "N",
      description = "How long that is measured, each time [${DEFAULT-VALUE}].")
  private int latencySeconds = 30;

  @Option(
      names = "--profile",
      paramLabel = "DIRECTORY",
      description =
          "Run each case once more with the JDK's flight recorder, tell the five largest costs of"
              + " its processor time, and keep the recordings there.")
  private @Nullable Path profiles;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Setup setup = setup();
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) -> new ScenarioBenchmark(setup, directory, progress),
        ScenarioBenchmark::run,
        ScenarioBenchmark::failures);
  }

  private Setup setup() throws IOException {
    try {
      Distribution spread = Distribution.of(distribution);
      return new Setup(
          named(scenarios, Scenario::of, Scenario.values()),
          named(engines, Contender::of, Contender.values()),
          keys.stream()
              .map(each -> new Workload(each, spread, records, recordBytes, compression))
              .toList(),
          slowRecords == null ? Math.max(1, records / SLOW_PART) : slowRecords,
          options.runs(),
          rehearsalSeconds,
          heapMb,
          cacheMb << 20,
          pageCacheFull(),
          new Latencies(latency, latencyRates, latencySeconds),
          profiles == null ? null : Files.createDirectories(profiles.toAbsolutePath()),
          BenchCommand.home());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  private boolean pageCacheFull() {
    return switch (pageCache) {
      case "full" -> true;
      case "as-is" -> false;
      default ->
          throw new IllegalArgumentException(
              "There is no '%s' page cache; there are full, as-is.".formatted(pageCache));
    };
  }

  private static <T> List<T> named(List<String> names, Function<String, T> of, T[] all) {
    return names.isEmpty() ? List.of(all) : names.stream().distinct().map(of).toList();
  }
}

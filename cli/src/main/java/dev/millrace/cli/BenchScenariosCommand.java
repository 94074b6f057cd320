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
      "Runs the scenarios of the Samza benchmark of 2015, and an exchange, on Millrace and other"
          + " engines, one after the other against the same Kafka: records a second, CPU seconds of"
          + " the engine's process and of Kafka's for a million records, and the engine's peak"
          + " memory. Checks the counts of each engine.",
      "",
      "The first run builds the other engines and downloads about 300 MB. The exit code is 1 if an"
          + " engine fails or its counts are wrong."
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
          "pass, count-memory, count-disk, count-disk-changelog or exchange; default: all.")
  private List<String> scenarios = List.of();

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      description =
          "millrace, millrace-official, millrace-direct-exchanges, millrace-at-least-once, flink,"
              + " kstreams, kstreams-at-least-once, jet, samza or by-hand; default: all.")
  private List<String> engines = List.of();

  @Option(
      names = "--keys",
      split = ",",
      paramLabel = "N",
      description = "Numbers of keys; default: 10000,1000000.")
  private List<Long> keys = List.of(10_000L, 1_000_000L);

  @Option(
      names = "--distribution",
      paramLabel = "NAME",
      description =
          "Distribution of the keys: uniform, or zipf with exponent 0.99; default:"
              + " ${DEFAULT-VALUE}.")
  private String distribution = "uniform";

  @Option(
      names = "--records",
      paramLabel = "N",
      description =
          "Number of records that an engine processes in each scenario; default: ${DEFAULT-VALUE}.")
  private long records = 50_000_000;

  @Option(
      names = "--slow-records",
      paramLabel = "N",
      description =
          "Number of records for Kafka Streams and Samza, and for flink and by-hand with state on"
              + " disk; default: a fifth of --records.")
  private @Nullable Long slowRecords;

  @Option(
      names = "--rehearsal",
      paramLabel = "SECONDS",
      description =
          "How long each engine's process runs the scenario first, to warm up; default:"
              + " ${DEFAULT-VALUE}.")
  private int rehearsalSeconds = 20;

  @Option(
      names = "--record-bytes",
      paramLabel = "N",
      description = "Size of a record's key and value in bytes; default: ${DEFAULT-VALUE}.")
  private int recordBytes = 100;

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      description =
          "Compression of the input: none, lz4, zstd, snappy or gzip; default: ${DEFAULT-VALUE}.")
  private String compression = "none";

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description = "The -Xmx of each engine; default: ${DEFAULT-VALUE}.")
  private int heapMb = 2_048;

  @Option(
      names = "--cache",
      paramLabel = "MB",
      description =
          "Memory of each engine for the cache or the blocks of state on disk; default:"
              + " ${DEFAULT-VALUE}.")
  private long cacheMb = 256;

  @Option(
      names = "--page-cache",
      paramLabel = "NAME",
      description =
          "full: the page cache is filled before each case, as on a host whose broker has been"
              + " running for a while; or as-is. Default: ${DEFAULT-VALUE}.")
  private String pageCache = "full";

  @Option(
      names = "--latency",
      description =
          "Also measure the time from input to committed output in scenario pass, at half the rate"
              + " that the engine reached.")
  private boolean latency;

  @Option(
      names = "--latency-rates",
      split = ",",
      paramLabel = "N",
      description =
          "Also measure it at these rates (records a second), if the engine reaches them.")
  private List<Long> latencyRates = List.of();

  @Option(
      names = "--latency-seconds",
      paramLabel = "N",
      description = "How long latency is measured at each rate; default: ${DEFAULT-VALUE}.")
  private int latencySeconds = 30;

  @Option(
      names = "--profile",
      paramLabel = "DIRECTORY",
      description =
          "Run each case once more with the JDK's flight recorder, print the five largest costs of"
              + " processor time, and write the recordings to this directory.")
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
              "There is no '%s' page cache. The choices are full and as-is.".formatted(pageCache));
    };
  }

  private static <T> List<T> named(List<String> names, Function<String, T> of, T[] all) {
    return names.isEmpty() ? List.of(all) : names.stream().distinct().map(of).toList();
  }
}

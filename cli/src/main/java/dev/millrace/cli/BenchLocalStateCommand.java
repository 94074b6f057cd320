package dev.millrace.cli;

import dev.millrace.benchmarks.localstate.Access;
import dev.millrace.benchmarks.localstate.LocalStateBenchmark;
import dev.millrace.benchmarks.localstate.LocalStateBenchmark.Setup;
import dev.millrace.benchmarks.localstate.Storing;
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

/// Measures local state beside a store elsewhere.
@Command(
    name = "local-state",
    mixinStandardHelpOptions = true,
    description = {
      "Reproduces figure 8 of Noghabi et al. (2017): the rate of a job that accesses its state for"
          + " each record, with the state in memory, on disk, on disk without a cache, and in Redis"
          + " on this machine, with and without a changelog. Checks the counts and joins.",
      "",
      "The first run builds the job with Redis and downloads about 15 MB. With --runs 1 --records"
          + " 400000 --keys 20000, the benchmark takes about two minutes."
    })
final class BenchLocalStateCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--jobs",
      split = ",",
      paramLabel = "NAME",
      description = "read-write (counts by key) or read-only (joins with a table); default: both.")
  private List<String> jobs = List.of();

  @Option(
      names = "--states",
      split = ",",
      paramLabel = "NAME",
      description =
          "in-memory, in-memory-changelog, on-disk, on-disk-changelog, on-disk-no-cache, remote"
              + " (Redis, one request for all keys that a slice of records reads) or remote-each"
              + " (Redis, one request for each record, with a fortieth of the records); default:"
              + " all.")
  private List<String> states = List.of();

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Number of keys of the state; default: ${DEFAULT-VALUE}.")
  private long keys = 1_000_000;

  @Option(
      names = "--records",
      paramLabel = "N",
      description =
          "Number of records of each job that access the state; default: ${DEFAULT-VALUE}.")
  private long records = 10_000_000;

  @Option(
      names = "--cache",
      paramLabel = "MB",
      description = "Size of the cache of state on disk; default: ${DEFAULT-VALUE}.")
  private long cacheMb = 256;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Setup setup = setup();
    return BenchCommand.measure(
        spec,
        options,
        (directory, progress) -> new LocalStateBenchmark(setup, directory, progress).run());
  }

  private Setup setup() {
    try {
      return new Setup(
          Names.asked(Access.class, jobs),
          Names.asked(Storing.class, states),
          keys,
          records,
          cacheMb << 20,
          options.runs(),
          BenchCommand.home());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}

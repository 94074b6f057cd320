package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.benchmarks.memory.MemoryBenchmark;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Measures whether a process stays within its memory.
@Command(
    name = "memory",
    mixinStandardHelpOptions = true,
    description = {
      "Counts by key at full speed, with far more keys than fit into memory, and measures the"
          + " memory of the process every second. The exit code is 1 if the process used more than"
          + " 90 %% of its limit."
    })
final class BenchMemoryCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private BenchCommand.Options options = new BenchCommand.Options();

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Number of keys, each with 100 bytes of state; default: ${DEFAULT-VALUE}.")
  private long keys = 10_000_000;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long records are written; default: ${DEFAULT-VALUE}.")
  private long seconds = 1_800;

  @Option(
      names = "--limit",
      paramLabel = "MB",
      description = "Memory limit of the process; default: ${DEFAULT-VALUE}.")
  private long limitMb = 1_024;

  @Option(
      names = "--heap",
      paramLabel = "MB",
      description = "The -Xmx of the process; default: ${DEFAULT-VALUE}.")
  private int heapMb = 512;

  @Override
  public Integer call() throws IOException, InterruptedException {
    AtomicReference<@Nullable MemoryBenchmark> ran = new AtomicReference<>();
    int done =
        BenchCommand.measure(
            spec,
            options,
            (directory, progress) -> {
              MemoryBenchmark benchmark =
                  new MemoryBenchmark(
                      new MemoryBenchmark.Setup(
                          keys, Duration.ofSeconds(seconds), limitMb << 20, heapMb),
                      directory,
                      progress);
              ran.set(benchmark);
              return benchmark.run();
            });
    MemoryBenchmark benchmark = ran.get();
    if (benchmark != null && benchmark.exceeded()) {
      throw new UserException(
          ExitCode.FAILED, "The process used more than nine tenths of its memory limit.");
    }
    return done;
  }
}

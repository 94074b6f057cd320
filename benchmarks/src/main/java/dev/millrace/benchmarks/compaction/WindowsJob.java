package dev.millrace.benchmarks.compaction;

import dev.millrace.Job;
import dev.millrace.Millrace;
import dev.millrace.api.connector.Start;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.WatchedJob;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;

/// A process in which Millrace counts windows.
final class WindowsJob {
  private static final long MEMORY_BYTES = 512L << 20;

  private WindowsJob() {}

  /// @param args as of [Task]
  public static void main(String[] args) throws InterruptedException {
    Parent.endWithIt();
    Task task = Task.of(args);
    Job job =
        Millrace.start(
            new WindowsApplication(task.name(), task.input(), task.output(), task.keeping()),
            JobConfig.of(task.bootstrap())
                .withMemory(MemoryConfig.of(MEMORY_BYTES))
                .withState(StateConfig.in(task.state()))
                .withInput(InputConfig.defaults().withStart(Start.earliest())));
    WatchedJob.watch(job);
  }
}

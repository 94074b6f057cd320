package dev.millrace.benchmarks.memory;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.MetricFamily;
import dev.millrace.Millrace;
import dev.millrace.api.connector.Start;
import dev.millrace.benchmarks.recovery.PaddedCounts;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;
import java.time.Duration;

/// A process that runs the padded counts and tells its parent every half second how far it is and
/// what its memory is used for.
public final class MeasuredContainer {
  private static final long LOOK_MILLIS = 500;

  /// So long that memory decides when state goes to disk, and not the recovery.
  private static final Duration TARGET = Duration.ofMinutes(1);

  private MeasuredContainer() {}

  /// @param args name of the application, topic, address of Kafka, directory for state, what the
  ///   process may have in bytes
  public static void main(String[] args) throws InterruptedException {
    Thread.ofPlatform().daemon().start(MeasuredContainer::endWithParent);
    Job job =
        Millrace.start(
            new PaddedCounts(args[0], args[1]),
            JobConfig.of(args[2])
                .withMemory(MemoryConfig.defaults().withLimit(Long.parseLong(args[4])))
                .withState(StateConfig.in(Path.of(args[3])))
                .withRecovery(
                    RecoveryConfig.defaults()
                        .withTarget(TARGET)
                        .withCompaction(RecoveryConfig.Compaction.AGGRESSIVE)
                        .withManageTopics(true))
                .withInput(InputConfig.defaults().withStart(Start.earliest())));
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    while (true) {
      JobFailure failure = job.failure();
      if (failure != null) {
        System.err.println(failure.message());
        System.exit(1);
      }
      tell("heap", memory.getHeapMemoryUsage().getCommitted());
      tell("nonheap", memory.getNonHeapMemoryUsage().getCommitted());
      for (MetricFamily family : job.metrics().families()) {
        for (MetricFamily.Point point : family.points()) {
          String share = point.labels().getOrDefault("share", "");
          if (!share.isEmpty() || point.labels().isEmpty() || point.labels().containsKey("group")) {
            tell(family.name() + share, (long) point.value());
          }
        }
      }
      tell("processed", job.metrics().processed());
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static void tell(String what, long value) {
    System.out.println(what + " " + value);
    System.out.flush();
  }

  private static void endWithParent() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println("Standard input cannot be read, so it has ended: " + e.getMessage());
    }
    System.exit(0);
  }
}

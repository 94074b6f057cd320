package dev.millrace.benchmarks.commit;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// What one run of a job took, from its first record until all of them are committed.
///
/// @param nanos on the clock
/// @param cpuNanos of all threads of this process
public record Timed(long records, long nanos, long cpuNanos) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// Watches a job that was just started, and stops it when it has processed so many records.
  public static Timed watch(Job job, long records) throws InterruptedException {
    long startNanos = 0;
    long startCpu = 0;
    while (true) {
      JobFailure failure = job.failure();
      if (failure != null) {
        throw new IllegalStateException(failure.message());
      }
      long processed = job.metrics().processed();
      if (startNanos == 0 && processed > 0) {
        startNanos = System.nanoTime();
        startCpu = processCpuNanos();
      }
      if (processed >= records) {
        break;
      }
      Thread.sleep(1);
    }
    if (!job.stop(PATIENCE)) {
      throw new IllegalStateException("The job did not commit within " + PATIENCE);
    }
    return new Timed(records, System.nanoTime() - startNanos, processCpuNanos() - startCpu);
  }

  public double perSecond() {
    return records * 1e9 / nanos;
  }

  public double cpuSecondsPerMillion() {
    return cpuNanos / 1e9 / (records / 1e6);
  }

  private static long processCpuNanos() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      return system.getProcessCpuTime();
    }
    return 0;
  }
}

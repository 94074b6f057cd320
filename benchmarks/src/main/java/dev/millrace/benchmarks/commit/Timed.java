package dev.millrace.benchmarks.commit;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// What one run of a job took for some of its records.
///
/// @param nanos on the clock
/// @param cpuNanos of all threads of this process
public record Timed(long records, long nanos, long cpuNanos) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// Watches a job that was just started, from its first record until so many are committed, and
  /// stops it.
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

  /// Watches a job that was just started while it processes the records between two numbers, when
  /// it is warm and goes on.
  public static Timed between(Job job, long from, long to) throws InterruptedException {
    awaitProcessed(job, from);
    long startNanos = System.nanoTime();
    long startCpu = processCpuNanos();
    long first = job.metrics().processed();
    awaitProcessed(job, to);
    return new Timed(
        job.metrics().processed() - first,
        System.nanoTime() - startNanos,
        processCpuNanos() - startCpu);
  }

  private static void awaitProcessed(Job job, long records) throws InterruptedException {
    while (job.metrics().processed() < records) {
      JobFailure failure = job.failure();
      if (failure != null) {
        throw new IllegalStateException(failure.message());
      }
      Thread.sleep(1);
    }
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

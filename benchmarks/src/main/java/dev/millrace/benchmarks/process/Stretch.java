package dev.millrace.benchmarks.process;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/// What a process did between two numbers of records.
///
/// It measures itself, so that a slow parent does no harm: by its own clock and the processor time
/// of all of its threads, those of the JVM among them.
///
/// @param records that it processed
public record Stretch(long records, long nanos, long cpuNanos) {
  private static final long LOOK_MILLIS = 2;
  private static final long LOOKS_A_WORD = 50;

  /// Where a process stands.
  public record Look(long processed, long nanos, long cpuNanos) {
    static Look at(long processed) {
      return new Look(processed, System.nanoTime(), cpu());
    }

    private static long cpu() {
      return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
          .getProcessCpuTime();
    }

    /// What was done from there to here.
    public Stretch since(Look from) {
      return new Stretch(processed - from.processed, nanos - from.nanos, cpuNanos - from.cpuNanos);
    }
  }

  /// Waits until so many records are processed, and tells the parent now and then how many.
  public static Look await(LongSupplier processed, long wanted) throws InterruptedException {
    for (long look = 0; ; look++) {
      long now = processed.getAsLong();
      if (look % LOOKS_A_WORD == 0) {
        Parent.tell("processed", now);
      }
      if (now >= wanted) {
        return Look.at(now);
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /// Tells the parent of it.
  public void tell() {
    Parent.tell("measured", "%d %d %d".formatted(records, nanos, cpuNanos));
  }

  /// What a child has told.
  ///
  /// @throws IllegalStateException if it has told nothing yet
  public static Stretch of(Child child) {
    String told = child.told("measured");
    if (told.isEmpty()) {
      throw new IllegalStateException("Nothing was measured yet.");
    }
    String[] numbers = told.split(" ");
    return new Stretch(
        Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
  }

  /// Records a second.
  public double rate() {
    return records * 1e9 / nanos;
  }

  public double cpuSecondsPerMillion() {
    return cpuNanos / 1e3 / records;
  }
}

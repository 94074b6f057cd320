package dev.millrace.benchmarks.change;

import dev.millrace.Job;
import dev.millrace.JobState;
import dev.millrace.internal.engine.plan.Planner;
import java.util.Arrays;

/// Measures what a start spends on reading the recorded plan and on comparing its own with it, by
/// looking at all threads every millisecond: what is in the class that does that, and is not making
/// the plan, which every start does, and the second look whether the plan is wanted still. Runs in
/// the thread that asks.
final class ComparisonMeter {
  private static final String COMPARING = "dev.millrace.JobVersions";
  private static final String LOOKING_AGAIN = "requireWanted";
  private static final long LOOK_MILLIS = 1;

  private ComparisonMeter() {}

  /// Returns how long it took, in microseconds, as soon as the job runs or has failed.
  static long micros(Job job) throws InterruptedException {
    long nanos = 0;
    long last = System.nanoTime();
    while (job.state() != JobState.RUNNING && job.failure() == null) {
      boolean comparing =
          Thread.getAllStackTraces().values().stream().anyMatch(ComparisonMeter::isComparing);
      long now = System.nanoTime();
      nanos += comparing ? now - last : 0;
      last = now;
      Thread.sleep(LOOK_MILLIS);
    }
    return nanos / 1_000;
  }

  private static boolean isComparing(StackTraceElement[] stack) {
    return Arrays.stream(stack)
            .anyMatch(each ->
                each.getClassName().startsWith(COMPARING)
                    || each.getMethodName().equals(LOOKING_AGAIN))
        && Arrays.stream(stack)
            .noneMatch(each -> each.getClassName().equals(Planner.class.getName()));
  }
}

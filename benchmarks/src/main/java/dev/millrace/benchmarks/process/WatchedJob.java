package dev.millrace.benchmarks.process;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.JobState;
import dev.millrace.TaskProgress;

/// A job in a process of its own, of which the parent is told how far it is: `running` as soon as
/// it runs, and `processed` and `snapshots` again and again.
public final class WatchedJob {
  private static final long LOOK_MILLIS = 20;

  private WatchedJob() {}

  /// Does not return: the process ends with its parent, or with status 1 if the job fails.
  public static void watch(Job job) throws InterruptedException {
    while (true) {
      JobFailure failure = job.failure();
      if (failure != null) {
        System.err.println(failure.message());
        System.exit(1);
      }
      if (job.state() == JobState.RUNNING) {
        Parent.tell("running", true);
      }
      Parent.tell("processed", job.metrics().processed());
      Parent.tell(
          "snapshots", job.metrics().progress().stream().mapToLong(TaskProgress::snapshots).sum());
      Thread.sleep(LOOK_MILLIS);
    }
  }
}

package dev.millrace;

/// Called when a job's state changes, on a thread of the job, which waits until the listener
/// returns.
@FunctionalInterface
public interface JobListener {
  void changed(JobState before, JobState now);
}

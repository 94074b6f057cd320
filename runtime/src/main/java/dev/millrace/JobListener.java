package dev.millrace;

/// Is told when a job's state changes, by a thread of the job, which waits meanwhile.
@FunctionalInterface
public interface JobListener {
  void changed(JobState before, JobState now);
}

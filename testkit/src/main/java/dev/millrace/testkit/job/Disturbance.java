package dev.millrace.testkit.job;

import dev.millrace.testkit.Seed;

/// What happens to a job while it works: it is told of each step and may stop the job, or crash it.
@FunctionalInterface
interface Disturbance {
  /// Nothing happens.
  Disturbance NONE = _ -> {};

  /// A step was taken.
  void stepped(Running job);

  /// Whenever something was processed, the job commits, ends, and starts again.
  static Disturbance restarts() {
    return job -> {
      if (job.processed() > 0) {
        job.stopAndStart();
      }
    };
  }

  /// Whenever something was processed, the job is killed before that is committed; then one commit
  /// goes well.
  static Disturbance crashes() {
    return new Crashes();
  }

  /// Crashes with and without the hosts, and restarts, a few of them at steps that are drawn.
  static Disturbance drawn(Seed seed) {
    return new Drawn(seed);
  }

  /// See [#crashes].
  final class Crashes implements Disturbance {
    /// Looking for commits is reading the log.
    private static final int LOOK = 8;

    private boolean armed = true;
    private long processed;
    private long commits;
    private int waited;

    @Override
    public void stepped(Running job) {
      if (armed) {
        if (job.processed() > processed) {
          commits = job.commits();
          job.kill(false);
          armed = false;
        }
      } else if (++waited % LOOK == 0 && job.commits() > commits) {
        processed = job.processed();
        armed = true;
      }
    }
  }

  /// See [#drawn].
  final class Drawn implements Disturbance {
    private static final int MOST = 6;
    private static final double CHANCE = 0.01;

    private final Seed seed;
    private int count;

    Drawn(Seed seed) {
      this.seed = seed;
    }

    @Override
    public void stepped(Running job) {
      if (count < MOST && seed.chance(CHANCE)) {
        count++;
        switch (seed.below(4)) {
          case 0 -> job.stopAndStart();
          case 1 -> job.kill(true);
          default -> job.kill(false);
        }
      }
    }
  }
}

package dev.millrace.testkit.sim;

import dev.millrace.api.StreamApplication;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.Delay;
import dev.millrace.testkit.sim.SimulationSettings.Placing;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A job whose tasks move between its containers while they run.
///
/// @param job what it does
record MovingJob(DrawnJob job, SimulationSettings settings) implements DrawnJob {
  /// A job drawn from a seed: of running sums, or a topology.
  ///
  /// @param placing who moves them
  static MovingJob drawn(long seed, String prefix, Placing placing) {
    boolean sums = new Seed(seed).fork("job").coin();
    return of(
        sums ? SumsJob.drawn(seed, prefix) : TopologyJob.withoutFailures(seed, prefix),
        seed,
        placing);
  }

  /// Under half of the seeds it takes long until what is decided of a transaction can be read.
  private static SimulationSettings withMarkers(SimulationSettings settings, Seed choices) {
    Delay late = new Delay(1, Duration.ZERO, Duration.ofMillis(choices.between(10, 100)));
    return choices.coin() ? settings.withLog(settings.log().withMarkers(late)) : settings;
  }

  private static MovingJob of(DrawnJob job, long seed, Placing placing) {
    int containers = new Seed(seed).fork("members").between(2, 4);
    SimulationSettings settings = withMarkers(job.settings(), new Seed(seed).fork("markers"));
    return new MovingJob(
        job,
        settings.withShape(containers, settings.workers(), settings.groups()).withPlacing(placing));
  }

  @Override
  public StreamApplication application() {
    return job.application();
  }

  @Override
  public Map<String, Integer> topics() {
    return job.topics();
  }

  @Override
  public List<InputRecord> input() {
    return job.input();
  }

  @Override
  public OpenTransaction foreign() {
    return job.foreign();
  }

  @Override
  public void requireExact(Written written) {
    job.requireExact(written);
  }
}

package dev.millrace.testkit.sim;

import dev.millrace.api.StreamApplication;
import dev.millrace.internal.engine.settings.Placement.Groups;
import dev.millrace.testkit.Seed;
import java.util.List;
import java.util.Map;

/// A job whose exchanges are direct whenever it runs in one container, as it does at its start; and
/// topics whenever its tasks are distributed to several.
///
/// @param job what it does
record DirectJob(DrawnJob job, SimulationSettings settings) implements DrawnJob {
  private static final int MOST_WORKERS = 4;

  static DirectJob of(DrawnJob job, long seed) {
    int workers = new Seed(seed).fork("direct").between(1, MOST_WORKERS);
    return new DirectJob(job, job.settings().withShape(1, workers, Groups.DIRECT));
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

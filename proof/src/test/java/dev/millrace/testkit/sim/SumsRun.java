package dev.millrace.testkit.sim;

import dev.millrace.testkit.disk.Hosts;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A simulated run of [SumsJob].
record SumsRun(SumsJob job, Simulation simulation) {

  /// A job whose input is written and that is not started, with somewhat more records.
  static SumsRun prepared(long seed, SimulationSettings settings) {
    return prepared(seed, settings, 300);
  }

  private static SumsRun prepared(long seed, SimulationSettings settings, int records) {
    SumsJob job = new SumsJob(seed, "", settings, records);
    return new SumsRun(job, Simulation.prepared(seed, job, settings, Hosts.models()));
  }

  /// Runs the job to its end; what it wrote is not looked at.
  static SumsRun run(
      long seed, SimulationSettings settings, CrashSchedule schedule, boolean faults) {
    SumsRun run = prepared(seed, settings, SumsJob.RECORDS);
    Chaos.run(run.simulation, seed, schedule, faults);
    run.simulation.log().advance(Duration.ofSeconds(5));
    return run;
  }

  void requireExact() {
    job.requireExact(Written.by(simulation));
  }

  /// Whatever the guarantee is.
  void requireRowsExact() {
    job.requireRowsExact(Written.by(simulation));
  }

  Map<String, List<Long>> sums() {
    return job.sums(Written.by(simulation));
  }

  List<String> top() {
    return job.top(Written.by(simulation));
  }
}

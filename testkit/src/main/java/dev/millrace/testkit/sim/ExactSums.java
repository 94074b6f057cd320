package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;

/// [SumsJob] under exactly-once: what it writes is what a plain computation says, row by row.
public final class ExactSums implements Scenario {
  private static final double CRASHES = 0.003;

  @Override
  public String name() {
    return "sums";
  }

  @Override
  public CrashSchedule schedule(long seed) {
    return CrashSchedule.drawn(new Seed(seed), SumsJob.drawn(seed).containers(), CRASHES);
  }

  @Override
  public Seen run(long seed, CrashSchedule schedule) {
    boolean faults = Scenario.hasFaults(seed);
    SumsJob job = SumsJob.run(seed, SumsJob.drawn(seed), schedule, faults);
    job.requireExact();
    Simulation simulation = job.simulation();
    return new Seen(simulation.steps(), simulation.log().traceHash(), simulation.crashPoints());
  }
}

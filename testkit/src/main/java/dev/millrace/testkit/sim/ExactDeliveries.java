package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;

/// [ShopJob]: what goes to sinks outside the log arrives exactly once, whoever crashes: the job,
/// before and after it delivered, the log, or the sink itself.
public final class ExactDeliveries implements Scenario {
  private static final double CRASHES = 0.003;
  private static final double FAILURES = 0.05;

  @Override
  public String name() {
    return "deliveries";
  }

  @Override
  public CrashSchedule schedule(long seed) {
    return CrashSchedule.drawn(new Seed(seed), ShopJob.drawn(seed).containers(), CRASHES);
  }

  @Override
  public Seen run(long seed, CrashSchedule schedule) {
    boolean faults = Scenario.hasFaults(seed);
    ShopJob job = ShopJob.run(seed, ShopJob.drawn(seed), schedule, FAILURES, faults);
    job.requireExact();
    Simulation simulation = job.simulation();
    return new Seen(simulation.steps(), simulation.log().traceHash(), simulation.crashPoints());
  }
}

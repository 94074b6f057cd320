package dev.millrace.testkit.sim;

/// Makes a schedule that fails shorter, as long as it fails.
public final class Shrinking {
  /// A scenario is run so often at most.
  private static final int RUNS = 300;

  private final Scenario scenario;
  private final long seed;
  private final Simulations.Runner runner;
  private int runs;

  public Shrinking(Scenario scenario, long seed, Simulations.Runner runner) {
    this.scenario = scenario;
    this.seed = seed;
    this.runner = runner;
  }

  /// A schedule with fewer crashes, or the same; each of them is needed, if the runs sufficed.
  public CrashSchedule shrink(CrashSchedule failing) {
    CrashSchedule best = halve(failing);
    boolean smaller = true;
    while (smaller && runs < RUNS) {
      smaller = false;
      for (int i = best.crashes().size() - 1; i >= 0 && runs < RUNS; i--) {
        CrashSchedule fewer = best.without(i);
        if (fails(fewer)) {
          best = fewer;
          smaller = true;
        }
      }
    }
    return best;
  }

  /// Leaves out the later crashes first: most runs end before the last of them comes.
  private CrashSchedule halve(CrashSchedule failing) {
    CrashSchedule best = failing;
    while (!best.crashes().isEmpty()) {
      long middle = best.crashes().get(best.crashes().size() / 2).step();
      CrashSchedule half = best.until(middle - 1);
      if (!fails(half)) {
        return best;
      }
      best = half;
    }
    return best;
  }

  private boolean fails(CrashSchedule schedule) {
    runs++;
    try {
      runner.run(scenario, seed, schedule);
      return false;
      // outermost: any failure counts
    } catch (RuntimeException | AssertionError e) {
      return true;
    }
  }
}

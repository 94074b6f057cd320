package dev.millrace.testkit.sim;

import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.ShareOfState;
import dev.millrace.spi.LogException;
import dev.millrace.testkit.Seed;
import org.jspecify.annotations.Nullable;

/// Somebody who asks the coordinator now and then to split a task, and sees what it has decided.
/// Used by one thread.
final class AskedSplits {
  /// How likely it is asked at a step, and how often at most.
  private static final double ASKS = 0.001;

  private static final int MOST = 3;

  private final World world;
  private final Seed seed;
  private @Nullable Decisions decisions;
  private int asked;

  AskedSplits(World world, Seed seed) {
    this.world = world;
    this.seed = seed;
  }

  /// @param plan is told which tasks were split
  void step(long step, Plan plan) {
    boolean asks = asked < MOST && step < CrashSchedule.CALM_AFTER && seed.chance(ASKS);
    if (asks) {
      Plan.TaskId task = seed.pick(plan.tasks());
      if (ShareOfState.unsplittable(plan.stage(task.stage())).isEmpty()) {
        asked++;
        new Requests(plan.storage(), world.log(), world.clock(), world::pause)
            .split(task.number(), true);
      }
    }
    if (asked > 0) {
      see(plan);
    }
  }

  private void see(Plan plan) {
    Decisions seen = decisions;
    if (seen == null) {
      seen = new Decisions(plan.storage(), world.log());
      decisions = seen;
    }
    try {
      seen.read();
    } catch (LogException _) {
      return; // the next step goes on
    }
    seen.parts().forEach((part, of) -> plan.splits().add(part, of.parent()));
  }
}

package dev.millrace.testkit.sim;

import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.MoveRequest;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.recovery.ShareOfState;
import dev.millrace.spi.LogException;
import dev.millrace.testkit.Seed;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Somebody who asks the coordinator now and then to split a task, to move one, or to drain a
/// process, and sees what it has decided. Used by one thread.
final class Wishes {
  /// How likely a split is asked for at a step, and how often at most.
  private static final double SPLITS = 0.001;

  private static final int MOST_SPLITS = 3;

  /// How likely a move or a drain is asked for at a step, and how often at most.
  private static final double MOVES = 0.0005;

  private static final int MOST_MOVES = 10;

  /// For how many steps a process is drained at most.
  private static final int DRAINED = 3_000;

  private final World world;
  private final Seed splits;
  private final Seed moves;
  private @Nullable Decisions decisions;
  private int askedSplits;
  private int askedMoves;

  /// The process that is to be drained; empty if none is.
  private String drained = "";

  private long drainedUntil;

  Wishes(World world, Seed seed) {
    this.world = world;
    splits = seed.fork("splits");
    moves = seed.fork("wishes");
  }

  /// @param plan is told which tasks were split
  /// @param living the processes that live
  void step(long step, Plan plan, Supplier<List<Self>> living) {
    boolean calm = step >= CrashSchedule.CALM_AFTER;
    if (!drained.isEmpty() && (calm || step >= drainedUntil)) {
      requests(plan).drain(drained, false);
      drained = "";
    }
    if (!calm && askedSplits < MOST_SPLITS && splits.chance(SPLITS)) {
      split(plan);
    }
    if (!calm && askedMoves < MOST_MOVES && moves.chance(MOVES)) {
      askedMoves++;
      moveOrDrain(step, plan, living.get());
    }
    if (askedSplits > 0) {
      see(plan);
    }
  }

  private void split(Plan plan) {
    Plan.TaskId task = splits.pick(plan.tasks());
    if (ShareOfState.unsplittable(plan.stage(task.stage())).isEmpty()) {
      askedSplits++;
      requests(plan).split(task.number(), true);
    }
  }

  private void moveOrDrain(long step, Plan plan, List<Self> living) {
    if (living.isEmpty()) {
      return;
    }
    Self concerned = moves.pick(living);
    if (drained.isEmpty() && moves.below(3) == 0) {
      drained = concerned.home();
      drainedUntil = step + moves.below(DRAINED);
      requests(plan).drain(drained, true);
    } else {
      see(plan);
      move(plan, concerned);
    }
  }

  private void move(Plan plan, Self to) {
    int task = moves.pick(plan.tasks()).number();
    Seat seat = Objects.requireNonNull(decisions).seats().getOrDefault(task, Seat.EMPTY);
    requests(plan).move(task, new MoveRequest(to.home(), to.life(), seat.owner()));
  }

  private Requests requests(Plan plan) {
    return new Requests(plan.storage(), world.log(), world.clock(), world::pause);
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

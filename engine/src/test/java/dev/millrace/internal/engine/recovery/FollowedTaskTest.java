package dev.millrace.internal.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.plan.Plan;
import org.junit.jupiter.api.Test;

class FollowedTaskTest {
  @Test
  void whatWasHandedOverToAWorkerIsNotOpenedAgain() {
    FollowedTask task = new FollowedTask(new Plan.TaskId(0, 1, 1));
    task.follow(true);
    assertTrue(task.isWanted());
    task.handOver();
    assertFalse(task.isWanted());
    task.follow(true);
    assertTrue(task.isWanted(), "It may be followed again.");
  }

  /// Otherwise its state would be opened here again as soon as the worker lets go of it, and no
  /// other process of the host could.
  @Test
  void whatWasFollowedIsFollowedNoMoreOnceAWorkerHasIt() {
    FollowedTask task = new FollowedTask(new Plan.TaskId(3, 1, 0));
    task.follow(true);
    task.succeed(new Succession(FIRST, 10, false, _ -> {}));
    assertTrue(task.isWanted());
    task.handOver();
    assertFalse(task.isWanted());
  }
}

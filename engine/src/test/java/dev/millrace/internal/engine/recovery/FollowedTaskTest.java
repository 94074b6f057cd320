package dev.millrace.internal.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.commit.Claim;
import dev.millrace.internal.engine.commit.Succession;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FollowedTaskTest {
  private static final Claim FIRST = new Claim(3, 5, new WriterId("app.a.0", 7, 0));
  private static final Claim OTHER = new Claim(3, 6, new WriterId("app.a.1", 8, 0));

  /// As where a worker lets go of a task late that another worker of the process has claimed.
  @Test
  void whoLetsGoOfAnEarlierClaimDoesNotStopALaterOne() {
    FollowedTask task = new FollowedTask(new Plan.TaskId(3, 1, 0));
    task.succeed(new Succession(FIRST, 10, false, _ -> {}));
    task.succeed(new Succession(OTHER, 20, false, _ -> {}));
    task.drop(FIRST);
    assertTrue(task.isWanted());
    task.drop(OTHER);
    assertFalse(task.isWanted());
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
    task.follow(true);
    assertTrue(task.isWanted(), "It may be followed again.");
  }

  /// A neighbour that has the directory may be about to close it; anything else takes longer.
  @Test
  void aDirectoryThatIsInUseIsTriedAgainSoonAndThenLessOften() {
    FollowedTask task = new FollowedTask(new Plan.TaskId(3, 1, 0));
    task.follow(true);
    for (int millis : new int[] {10, 20, 40, 80, 100, 100}) {
      assertWaits(task, DiskException.Kind.IN_USE, millis);
    }
    assertWaits(task, DiskException.Kind.IO, 100);
    task.succeed(new Succession(FIRST, 10, false, _ -> {}));
    assertWaits(task, DiskException.Kind.IN_USE, 10);
  }

  private static void assertWaits(FollowedTask task, DiskException.Kind kind, int millis) {
    long now = 7;
    task.failed(new DiskException(kind, "It does not open.", null), now);
    long pause = Duration.ofMillis(millis).toNanos();
    assertEquals(pause, task.pauseNanos(now));
    assertFalse(task.isDue(now + pause - 1));
    assertTrue(task.isDue(now + pause));
  }
}

package dev.millrace.internal.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.commit.CannotBeginException;
import dev.millrace.internal.engine.commit.DiskPosition;
import dev.millrace.internal.engine.commit.JobIdentity;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Log.Offsets;
import dev.millrace.spi.Split;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DiskCheckTest {
  private static final Plan.TaskId TASK = new Plan.TaskId(0, 2, 2);

  private static DiskCheck check(long start, long end) {
    return check(start, end, end);
  }

  /// @param later the end of the changelog when it is asked for again
  private static DiskCheck check(long start, long end, long later) {
    return new DiskCheck(
        "app",
        new JobIdentity("cluster", "topic", Duration.ofDays(1)),
        TASK,
        new Split("app-changelog", 2),
        new Offsets(start, end, end),
        () -> new Offsets(start, later, later));
  }

  private static DiskPosition at(long offset) {
    return new DiskPosition("cluster", "topic", TASK.toString(), offset, 0, new byte[0]);
  }

  @Test
  void aDiskWithinItsChangelogIsTaken() {
    assertDoesNotThrow(() -> check(3, 8).requireSameChangelog(at(3)));
    assertDoesNotThrow(() -> check(3, 8).requireSameChangelog(at(8)));
  }

  /// Whoever opens the disk, also a process to which the task comes.
  @Test
  void aDiskAheadOfItsChangelogIsRefused() {
    CannotBeginException refused =
        assertThrows(CannotBeginException.class, () -> check(0, 7).requireSameChangelog(at(8)));

    assertTrue(refused.getMessage().contains("offset 8 of app-changelog"), refused.getMessage());
    assertTrue(refused.getMessage().contains("ends at 7"), refused.getMessage());
  }

  @Test
  void aDiskThatSomebodyHasBroughtForwardMeanwhileIsTaken() {
    assertDoesNotThrow(() -> check(0, 7, 9).requireSameChangelog(at(9)));
    assertThrows(CannotBeginException.class, () -> check(0, 7, 8).requireSameChangelog(at(9)));
  }

  @Test
  void aDiskBehindTheStartOfItsChangelogIsRefused() {
    assertThrows(CannotBeginException.class, () -> check(3, 8).requireSameChangelog(at(2)));
  }
}

package dev.millrace.internal.engine.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CommitPaceTest {
  private static final long MILLI = Duration.ofMillis(1).toNanos();

  private static CommitPace pace(long targetMillis) {
    return new CommitPace(Duration.ofMillis(100), Duration.ofMillis(targetMillis));
  }

  private static void commits(CommitPace pace, int count, long nanos) {
    for (int i = 0; i < count; i++) {
      pace.committed(nanos);
    }
  }

  private static void assertNear(long millis, long nanos) {
    assertTrue(Math.abs(nanos - millis * MILLI) < MILLI / 100, () -> nanos + " ns");
  }

  @Test
  void theFirstPauseIsTheTarget() {
    assertEquals(10 * MILLI, pace(10).pauseNanos(false));
    assertEquals(100 * MILLI, pace(1_000).pauseNanos(false));
  }

  @Test
  void aRecordBehindABarrierWaitsForTheTarget() {
    CommitPace pace = pace(20);
    commits(pace, 1, 3 * MILLI);
    assertEquals(14 * MILLI, pace.pauseNanos(false));
    commits(pace, 100, 5 * MILLI);
    long wait = 5 * MILLI + pace.pauseNanos(false) + 5 * MILLI;
    assertNear(20, wait);
  }

  @Test
  void whereCommitsTakeTooLongForTheTargetThereAreAsLongPauses() {
    CommitPace pace = pace(20);
    commits(pace, 100, 9 * MILLI);
    assertEquals(9 * MILLI, pace.pauseNanos(false));
    commits(pace, 100, 70 * MILLI);
    assertNear(70, pace.pauseNanos(false));
    commits(pace, 100, 700 * MILLI);
    assertEquals(100 * MILLI, pace.pauseNanos(false));
  }

  @Test
  void oneSlowCommitIsSoonForgotten() {
    CommitPace pace = pace(20);
    commits(pace, 10, 2 * MILLI);
    commits(pace, 1, 50 * MILLI);
    assertNear(8, pace.pauseNanos(false));
    commits(pace, 20, 2 * MILLI);
    assertTrue(pace.pauseNanos(false) > 14 * MILLI, () -> pace.pauseNanos(false) + " ns");
  }

  @Test
  void whoIsBehindCommitsAtTheInterval() {
    CommitPace pace = pace(20);
    commits(pace, 10, 2 * MILLI);
    pace.behind(true);
    assertEquals(100 * MILLI, pace.pauseNanos(false));
    pace.behind(false);
    assertEquals(16 * MILLI, pace.pauseNanos(false));
  }
}

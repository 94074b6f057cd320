package dev.millrace.engine.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecoveryPaceTest {
  private static final long MB = 1L << 20;
  private static final long MILLI = 1_000_000;

  private long nowNanos = 77;
  private final WorkerMetrics metrics = new WorkerMetrics();
  private final Clock clock =
      new Clock() {
        @Override
        public long millis() {
          return nowNanos / MILLI;
        }

        @Override
        public long nanos() {
          return nowNanos;
        }
      };

  private RecoveryPace pace(Duration target) {
    return new RecoveryPace(target, clock, metrics);
  }

  private void pass(long millis) {
    nowNanos += millis * MILLI;
  }

  @Test
  void withoutMeasurementsAColdRateIsAssumed() {
    RecoveryPace pace = pace(Duration.ofSeconds(1));
    // 32 MB/s, three quarters of the target.
    assertFalse(pace.flushDue(23 * MB));
    assertTrue(pace.flushDue(25 * MB));
    assertEquals(781, metrics.predictedRecoveryNanos() / MILLI);
  }

  @Test
  void aReplayTellsItsRateAndWhatCameBeforeItIsFixed() {
    RecoveryPace pace = pace(Duration.ofSeconds(1));
    pass(200);
    pace.replayBegins();
    pass(1_000);
    pace.replayed(100 * MB);
    assertFalse(pace.flushDue(54 * MB));
    assertTrue(pace.flushDue(56 * MB));
    assertEquals(760, metrics.predictedRecoveryNanos() / MILLI);
  }

  @Test
  void aShortReplayIsPartOfWhatIsFixed() {
    RecoveryPace pace = pace(Duration.ofSeconds(1));
    pass(200);
    pace.replayBegins();
    pass(50);
    pace.replayed(1000);
    assertFalse(pace.flushDue(15 * MB));
    assertTrue(pace.flushDue(17 * MB));
    assertEquals(250 + 531, metrics.predictedRecoveryNanos() / MILLI);
  }

  @Test
  void whatIsFixedIsThatOfTheStartAndNotOfARollBack() {
    RecoveryPace pace = pace(Duration.ofSeconds(1));
    pass(200);
    pace.replayBegins();
    pace.replayed(0);
    pass(60_000);
    pace.replayBegins();
    pace.replayed(0);
    assertFalse(pace.flushDue(0));
    assertEquals(200, metrics.predictedRecoveryNanos() / MILLI);
  }

  @Test
  void aTargetThatCannotBeHeldLeavesTheTailAQuarter() {
    RecoveryPace pace = pace(Duration.ofSeconds(1));
    pass(5_000);
    pace.replayBegins();
    pace.replayed(0);
    assertFalse(pace.flushDue(7 * MB));
    assertTrue(pace.flushDue(9 * MB));
    assertEquals(5_281, metrics.predictedRecoveryNanos() / MILLI);
  }

  @Test
  void whatWasWaitedForBeforeTheFirstStepIsNotFixed() {
    RecoveryPace pace = pace(Duration.ofSeconds(1));
    pass(6_000);
    pace.begins();
    pass(200);
    pace.replayBegins();
    pace.replayed(0);
    assertFalse(pace.flushDue(0));
    assertEquals(200, metrics.predictedRecoveryNanos() / MILLI);
  }
}

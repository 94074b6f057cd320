package dev.millrace.internal.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.spi.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecoveryPaceTest {
  private static final Duration TARGET = Duration.ofSeconds(1);

  private long nanos;

  private final Clock clock =
      new Clock() {
        @Override
        public long nanos() {
          return nanos;
        }

        @Override
        public long millis() {
          return nanos / 1_000_000;
        }
      };

  private RecoveryPace after(Duration start) {
    RecoveryPace pace = new RecoveryPace(TARGET, clock, new WorkerMetrics());
    pace.begins();
    nanos += start.toNanos();
    pace.replayBegins();
    pace.replayed(0);
    return pace;
  }

  @Test
  void whereTheReplayTakesLongMoreWorkersHelp() {
    RecoveryPace pace = after(Duration.ofMillis(100));
    String warning = pace.warning(Duration.ofSeconds(4).toNanos(), 120L << 20);
    assertTrue(warning.contains("the replay of 120 MB"), warning);
    assertTrue(warning.contains("More workers"), warning);
  }

  @Test
  void whereTheStartAloneTakesLongerNobodyIsToldToShareTheReplay() {
    RecoveryPace pace = after(Duration.ofSeconds(3));
    String warning = pace.warning(Duration.ofSeconds(3).toNanos(), 1);
    assertTrue(warning.contains("3.0 s to fence other writers"), warning);
    assertTrue(warning.contains("Set recovery.target"), warning);
    assertFalse(warning.contains("More workers"), warning);
  }
}

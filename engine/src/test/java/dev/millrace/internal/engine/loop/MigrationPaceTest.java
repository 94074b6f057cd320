package dev.millrace.internal.engine.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Clock;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MigrationPaceTest {
  private static final double SECOND = 1e9;

  private static final class Hand implements Clock {
    long nanos;

    @Override
    public long millis() {
      return nanos / 1_000_000;
    }

    @Override
    public long nanos() {
      return nanos;
    }
  }

  /// Steps take more than what is left, as they end between two entries; that is made up for.
  @Test
  void inTheLongRunTwoMillionBytesASecondAreTaken() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      Hand clock = new Hand();
      MigrationPace pace = new MigrationPace(clock);
      long taken = 0;
      while (clock.nanos < 600 * SECOND) {
        clock.nanos += 10_000_000 + random.nextInt(400_000_000);
        pace.published();
        if (pace.leftBytes() > 0) {
          long bytes = pace.leftBytes() + random.nextInt(100_000);
          pace.took(1_000_000, bytes);
          taken += bytes;
        }
      }
      assertEquals(2e6, taken / (clock.nanos / SECOND), 2e4, "seed " + seed);
    }
  }

  @Test
  void whatAPauseLeftIsNotTakenAtOnce() {
    Hand clock = new Hand();
    MigrationPace pace = new MigrationPace(clock);
    clock.nanos = (long) (3_600 * SECOND);
    pace.published();
    assertEquals(2_000_000, pace.leftBytes());
    assertEquals(50_000_000, pace.leftNanos());
    pace.took(60_000_000, 2_000_001);
    assertTrue(pace.leftBytes() < 0);
    assertEquals(0, pace.leftNanos());
  }
}

package dev.millrace.internal.engine.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.spi.Clock;
import org.junit.jupiter.api.Test;

class TaskClockTest {
  private static final class SetClock implements Clock {
    private long millis = 50_000;
    private long nanos = -7_000_000;

    @Override
    public long millis() {
      return millis;
    }

    @Override
    public long nanos() {
      return nanos;
    }
  }

  private final SetClock machine = new SetClock();

  @Test
  void itGoesByTimePassedWhateverTheMachinesClockSays() {
    TaskClock clock = new TaskClock(machine, Long.MIN_VALUE);
    assertEquals(50_000, clock.millis());
    machine.millis += 864_000_000;
    assertEquals(50_000, clock.millis());
    machine.millis = 0;
    machine.nanos += 3_999_999;
    assertEquals(50_003, clock.millis());
  }

  @Test
  void itNeverBeginsBeforeTheLastCommit() {
    TaskClock clock = new TaskClock(machine, 60_000);
    assertEquals(60_000, clock.millis());
    machine.nanos += 5_000_000;
    assertEquals(60_005, clock.millis());
    assertEquals(50_000, new TaskClock(machine, 40_000).millis());
  }
}

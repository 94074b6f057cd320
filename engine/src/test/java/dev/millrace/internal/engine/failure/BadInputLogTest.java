package dev.millrace.internal.engine.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.spi.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BadInputLogTest {
  private final List<String> told = new ArrayList<>();
  private long nowNanos = 5;
  private final BadInputLog log =
      new BadInputLog(
          new Clock() {
            @Override
            public long millis() {
              return 0;
            }

            @Override
            public long nanos() {
              return nowNanos;
            }
          },
          told::add);

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }

  private void warn(int from, int to) {
    for (int i = from; i <= to; i++) {
      log.warn("record " + i);
    }
  }

  @Test
  void theFirstAreNamedAndTheOthersCounted() {
    warn(1, 50_000);
    assertEquals(10, told.size());
    assertEquals("record 10", told.getLast());

    pass(Duration.ofSeconds(9));
    log.look();
    assertEquals(10, told.size());

    pass(Duration.ofSeconds(1));
    log.look();
    assertEquals(11, told.size());
    assertEquals(
        "49990 more failed within 10 s and are not logged here; the last one: record 50000",
        told.getLast());
  }

  @Test
  void behindTheSummaryTheFirstAreNamedAgain() {
    warn(1, 12);
    pass(Duration.ofSeconds(11));
    warn(13, 13);
    assertEquals(12, told.size());
    assertEquals("record 13", told.getLast());
  }

  @Test
  void whatWasNotToldIsToldAtTheEnd() {
    warn(1, 11);
    log.flush();
    assertEquals(
        "1 more failed within 0 s and are not logged here; the last one: record 11",
        told.getLast());
    log.flush();
    assertEquals(11, told.size());
  }
}

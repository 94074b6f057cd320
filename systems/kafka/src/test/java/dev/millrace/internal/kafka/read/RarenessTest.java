package dev.millrace.internal.kafka.read;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RarenessTest {
  private static final long MILLI = Duration.ofMillis(1).toNanos();

  private final Rareness rareness = new Rareness();

  private void answers(int count, long bytes, long waitedMillis) {
    for (int i = 0; i < count; i++) {
      rareness.answered(bytes, waitedMillis * MILLI);
    }
  }

  @Test
  void recordsAreRareBehindSomeEmptyAnswersInARow() {
    answers(2, 0, 20);
    assertFalse(rareness.isRare());
    answers(1, 100, 20);
    answers(2, 0, 20);
    assertFalse(rareness.isRare());
    answers(1, 0, 20);
    assertTrue(rareness.isRare());
  }

  @Test
  void recordsThatComeNowAndThenStayRare() {
    answers(3, 0, 20);
    for (int i = 0; i < 10; i++) {
      answers(1, 100, 1_000);
      assertTrue(rareness.isRare());
    }
  }

  @Test
  void aFewThatComeTogetherStayRare() {
    answers(3, 0, 20);
    for (int i = 0; i < 10; i++) {
      answers(1, 100, 1_000);
      answers(7, 100, 5);
      assertTrue(rareness.isRare());
      answers(1, 0, 500);
      answers(7, 100, 5);
      assertTrue(rareness.isRare());
    }
  }

  @Test
  void recordsThatComeOneBehindTheOtherAreNotRareAnyMore() {
    answers(3, 0, 20);
    answers(1, 100, 1_000);
    answers(8, 100, 5);
    assertFalse(rareness.isRare());
  }
}

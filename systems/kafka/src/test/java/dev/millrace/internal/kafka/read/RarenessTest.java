package dev.millrace.internal.kafka.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
  void theLongerNothingComesTheLongerABrokerMayWait() {
    Duration longest = Duration.ofSeconds(3);
    answers(3, 0, 20);
    assertEquals(Duration.ofMillis(500), rareness.patience(longest));
    answers(1, 0, 500);
    assertEquals(Duration.ofSeconds(1), rareness.patience(longest));
    answers(1, 100, 900);
    assertEquals(Duration.ofSeconds(1), rareness.patience(longest));
    answers(2, 0, 1_000);
    assertEquals(longest, rareness.patience(longest));
    answers(1, 100, 1);
    answers(3, 0, 20);
    assertEquals(Duration.ofMillis(500), rareness.patience(longest));
  }

  /// As on a connection that never is asked patiently.
  @Test
  void nothingCanComeForAsLongAsYouLike() {
    answers(1_000, 0, 20);
    assertTrue(rareness.isRare());
    assertEquals(Duration.ofSeconds(3), rareness.patience(Duration.ofSeconds(3)));
  }

  @Test
  void aBrokerMayHaveNothingForEver() {
    answers(100_000, 0, 20);
    assertEquals(Duration.ofSeconds(6), rareness.patience(Duration.ofSeconds(6)));
  }

  @Test
  void recordsThatComeOneBehindTheOtherAreNotRareAnyMore() {
    answers(3, 0, 20);
    answers(1, 100, 1_000);
    answers(1, 100, 5);
    assertFalse(rareness.isRare());
  }
}

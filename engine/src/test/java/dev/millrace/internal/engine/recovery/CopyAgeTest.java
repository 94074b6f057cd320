package dev.millrace.internal.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CopyAgeTest {
  private static final Duration TEN = Duration.ofNanos(10);

  private final CopyAge age = new CopyAge();

  @Test
  void aCopyIsAsOldAsTheQuestionToWhoseAnswerItWasReplayed() {
    assertFalse(age.isAtMost(TEN, 5, 100));
    assertTrue(age.needsEnd());
    age.ends(7, 110);
    assertFalse(age.needsEnd());
    assertFalse(age.isAtMost(TEN, 5, 111));
    assertFalse(age.isAtMost(TEN, 6, 112));
    assertFalse(age.needsEnd(), "It is asked for once.");
    assertTrue(age.isAtMost(TEN, 7, 120));
    assertEquals(TEN, age.age(120));
  }

  @Test
  void anOldOneIsAskedForAnew() {
    assertFalse(age.isAtMost(TEN, 7, 100));
    age.ends(7, 100);
    assertTrue(age.isAtMost(TEN, 7, 110));
    assertFalse(age.isAtMost(TEN, 7, 111));
    assertTrue(age.needsEnd());
    assertTrue(age.isAtMost(Duration.ofNanos(11), 7, 111));
  }

  @Test
  void whereItWasReplayedToIsAskedForWhoTakesLong() {
    assertFalse(age.isAtMost(TEN, 5, 100));
    age.ends(7, 100);
    assertFalse(age.isAtMost(TEN, 7, 200), "It had all that was committed at 100.");
    assertTrue(age.needsEnd());
    age.ends(9, 205);
    assertTrue(age.isAtMost(TEN, 9, 206));
  }

  @Test
  void nothingIsKnownOfOneThatWasOpenedAgain() {
    assertFalse(age.isAtMost(TEN, 7, 100));
    age.ends(7, 100);
    assertTrue(age.isAtMost(TEN, 7, 100));
    age.forget();
    assertFalse(age.isAtMost(TEN, 7, 100));
  }
}

package dev.millrace.benchmarks.pauses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatsTest {
  private final Repeats repeats = new Repeats(3);

  @Test
  void whatIsProcessedForTheFirstTimeIsNoProgressBehindAnAbort() {
    repeats.processed(0, 7);
    repeats.aborted(List.of(0, 2));
    repeats.processed(0, 8);
    repeats.processed(1, 5);
    repeats.processed(1, 4);
    assertEquals(List.of(), repeats.millis());
  }

  @Test
  void theFirstRecordOfAnyTaskOfTheWriterThatComesAgainEndsIt() {
    repeats.processed(0, 7);
    repeats.processed(2, 9);
    repeats.aborted(List.of(0, 2));
    repeats.processed(2, 3);
    repeats.processed(0, 1);
    repeats.processed(0, 1);
    assertEquals(1, repeats.millis().size());
    double millis = repeats.millis().getFirst();
    assertTrue(millis >= 0 && millis < 60_000, () -> "took " + millis + " ms");
  }

  @Test
  void eachAbortCountsForItself() {
    for (int i = 0; i < 3; i++) {
      repeats.processed(0, 7);
      repeats.aborted(List.of(0));
      repeats.processed(0, 0);
    }
    assertEquals(3, repeats.millis().size());
  }
}

package dev.millrace.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SampleTest {
  @Test
  void theMedianIsTheOneInTheMiddleOrTheMeanOfTheTwoThere() {
    assertEquals(3, new Sample(List.of(9.0, 1.0, 3.0)).median());
    assertEquals(2.5, new Sample(List.of(9.0, 1.0, 3.0, 2.0)).median());
  }

  @Test
  void pairsAreTakenRunByRun() {
    Sample ratios =
        Sample.ofPairs(List.of(10, 30, 20), List.of(10, 10, 10), (one, other) -> one / other);
    assertEquals(List.of(1.0, 2.0, 3.0), ratios.values());
    assertEquals(1, ratios.least());
    assertEquals(3, ratios.most());
  }
}

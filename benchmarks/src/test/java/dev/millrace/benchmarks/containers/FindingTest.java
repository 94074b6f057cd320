package dev.millrace.benchmarks.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.containers.Finding.Goal;
import dev.millrace.benchmarks.containers.Finding.Statistic;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FindingTest {
  private static Finding finding(Goal goal, List<Double> samples) {
    return new Finding(Rows.KILL, "scene", "what", "s", goal, samples);
  }

  @Test
  void statisticsAreOfAllSamples() {
    List<Double> samples = IntStream.rangeClosed(1, 200).mapToObj(i -> (double) (201 - i)).toList();
    Finding finding = finding(Goal.NONE, samples);
    assertEquals(1, finding.value(Statistic.LEAST));
    assertEquals(100.5, finding.value(Statistic.MEDIAN));
    assertEquals(198, finding.value(Statistic.P99));
    assertEquals(200, finding.value(Statistic.MOST));
    assertTrue(finding.isReached());
  }

  @Test
  void aGoalIsComparedWithItsStatistic() {
    List<Double> samples = List.of(1.0, 2.0, 9.0);
    assertFalse(finding(Goal.mostIs(8), samples).isReached());
    assertTrue(finding(Goal.mostIs(9), samples).isReached());
    assertTrue(finding(Goal.medianIs(2), samples).isReached());
    assertTrue(finding(Goal.medianIsAtLeast(2), samples).isReached());
    assertFalse(finding(Goal.medianIsAtLeast(2.1), samples).isReached());
  }

  /// Of what was not measured nobody may say that it is good enough.
  @Test
  void aGoalWithoutSamplesIsNotReached() {
    assertFalse(finding(Goal.mostIs(8), List.of()).isReached());
    assertFalse(finding(Goal.medianIsAtLeast(1), List.of()).isReached());
  }
}

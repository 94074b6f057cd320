package dev.millrace.internal.engine.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.internal.engine.metrics.TaskMetrics;
import org.junit.jupiter.api.Test;

class BadCountsTest {
  private final TaskMetrics metrics = new TaskMetrics();
  private final BadCounts counts = new BadCounts(metrics);

  private void requireCounted(long skipped, long deadLetters) {
    assertEquals(skipped, metrics.skipped());
    assertEquals(deadLetters, metrics.deadLetters());
  }

  @Test
  void whatIsPassedOverCountsWhenThatIsCommitted() {
    counts.begin(0);
    counts.add(true);
    counts.add(false);
    counts.frozen(1);
    counts.add(true);
    requireCounted(0, 0);
    counts.published();
    requireCounted(2, 1);
    counts.frozen(2);
    counts.published();
    requireCounted(3, 2);
  }

  @Test
  void whatIsRolledBackDoesNotCount() {
    counts.begin(0);
    counts.add(true);
    counts.frozen(1);
    counts.add(true);
    counts.begin(0);
    counts.frozen(1);
    counts.published();
    requireCounted(0, 0);
  }

  @Test
  void aCommitWhoseOutcomeWasNotKnownCountsIfItHasTakenPlace() {
    counts.begin(6);
    counts.add(true);
    counts.frozen(7);
    counts.add(true);
    counts.begin(7);
    requireCounted(1, 1);
    counts.begin(7);
    requireCounted(1, 1);
  }

  @Test
  void whatIsTakenBackDoesNotCount() {
    counts.add(true);
    counts.mark();
    counts.add(true);
    counts.undo();
    counts.frozen(1);
    counts.published();
    requireCounted(1, 1);
  }
}

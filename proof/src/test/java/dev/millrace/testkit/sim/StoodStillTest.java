package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.internal.engine.Engine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A process that stood still while another one took its tasks over and went on with them.
class StoodStillTest {
  private final CountingEngines job = new CountingEngines();
  private final Engine first = job.process("first");
  private final Engine second = job.process("second");

  /// It asks for records of an exchange that the other one has read and deleted. That is no loss,
  /// but the first that it learns of the other one.
  @Test
  void whatOthersHaveReadAndDeletedMeanwhileIsNotMissed() {
    job.takeAll(first, 1, false);
    job.write("word", "word", "word");
    job.stepUntil(() -> job.rows() == 3, first);
    job.takeAll(second, 2, true);
    job.write("word", "word", "word");
    job.stepUntil(() -> job.rows() == 6, second);
    second.purge();
    job.stepUntil(() -> first.held().isEmpty(), first, second);
    assertNull(first.failure());
    job.takeAll(first, 3, true);
    job.write("word", "word", "word");
    job.stepUntil(() -> job.rows() == 9, first, second);
    assertNull(first.failure());
    assertNull(second.failure());
    assertEquals(Map.of("word", List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L)), job.counts());
    first.abandon();
    second.abandon();
  }
}

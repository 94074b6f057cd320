package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.internal.engine.Engine;
import dev.millrace.testkit.disk.ModelFiles;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A task that is given up to a process on the same disk.
class GivenUpTest {
  private static final int LARGE = 30 << 10;

  private final CountingEngines job = new CountingEngines();
  private final ModelFiles files = new ModelFiles(1);

  /// To write it would take longer than the other process takes to read it.
  @Test
  void aLittleIsReplayedAndNotWritten() {
    handOver("word");
    assertEquals(0, written(), "Written before the disk was closed");
    goOn("word");
  }

  @Test
  void muchIsWrittenSoThatItNeedNotBeReplayed() {
    List<String> words = IntStream.range(0, 50).mapToObj(Integer::toString).toList();
    String[] large = words.stream().map(each -> each.repeat(LARGE)).toArray(String[]::new);
    handOver(large);
    assertEquals(1, written());
    goOn(large);
  }

  private long written() {
    String counting = job.plan.tasks().getLast().toString();
    return files.names().stream()
        .filter(name -> name.startsWith(counting + ".") && !name.endsWith(".manifest"))
        .count();
  }

  /// One process counts words and gives its tasks up.
  private void handOver(String... words) {
    Engine first = job.process("first", job.log.client("first"), files);
    job.takeAll(first, 1, false);
    job.write(words);
    job.stepUntil(() -> job.rows() == words.length, first);
    job.plan.tasks().forEach(task -> first.give(task.number()));
    job.stepUntil(() -> first.held().isEmpty(), first);
    job.step(first);
    assertNull(first.failure());
    first.abandon();
    files.kill();
  }

  /// Another one counts them once more.
  private void goOn(String... words) {
    Engine second = job.process("second", job.log.client("second"), files);
    job.takeAll(second, 2, false);
    job.write(words);
    job.stepUntil(() -> job.rows() == 2 * words.length, second);
    assertNull(second.failure());
    Map<String, List<Long>> counts = job.counts();
    assertEquals(words.length, counts.size());
    counts.values().forEach(each -> assertEquals(List.of(1L, 2L), each));
    second.abandon();
  }
}

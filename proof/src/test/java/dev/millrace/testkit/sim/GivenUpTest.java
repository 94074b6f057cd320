package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.internal.engine.Engine;
import dev.millrace.testkit.disk.ModelFiles;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// A task that is given up to a process on the same disk.
class GivenUpTest {
  private static final int LARGE = 30 << 10;

  private final CountingEngines job = new CountingEngines();
  private final ModelFiles files = new ModelFiles(1);
  private final Engine first = job.process("first", job.log.client("first"), files);
  private int counted;

  /// To write it would take longer than the other process takes to read it.
  @Test
  void aLittleIsReplayedAndNotWritten() {
    job.takeAll(first, 1, false);
    count(first, "word");
    job.stepUntil(() -> !written().isEmpty(), first);
    Map<String, Integer> before = written();
    count(first, "word");
    give();
    assertEquals(before, written());
    goOn(3, "word");
  }

  @Test
  void muchIsWrittenSoThatItNeedNotBeReplayed() {
    job.takeAll(first, 1, false);
    count(first, "word");
    job.stepUntil(() -> !written().isEmpty(), first);
    Map<String, Integer> before = written();
    String[] large =
        IntStream.range(0, 50)
            .mapToObj(i -> Integer.toString(i).repeat(LARGE))
            .toArray(String[]::new);
    count(first, large);
    give();
    assertNotEquals(before, written());
    goOn(2, large);
  }

  /// Otherwise nobody would notice that the changelog is lost.
  @Test
  void whatWasNeverWrittenIsWrittenHoweverLittleItIs() {
    job.takeAll(first, 1, false);
    count(first, "word");
    assertEquals(Map.of(), written());
    give();
    assertNotEquals(Map.of(), written());
    goOn(2, "word");
  }

  /// Returns the lengths of the files of the task that counts, without the list of them.
  private Map<String, Integer> written() {
    String counting = job.plan.tasks().getLast().toString();
    Map<String, Integer> written = new TreeMap<>();
    for (String name : files.names()) {
      if (name.startsWith(counting + ".") && !name.endsWith(".manifest")) {
        written.put(name, files.lengthOf(name));
      }
    }
    return Collections.unmodifiableMap(written);
  }

  private void count(Engine engine, String... words) {
    counted += words.length;
    job.write(words);
    job.stepUntil(() -> job.rows() == counted, engine);
  }

  private void give() {
    job.plan.tasks().forEach(task -> first.give(task.number()));
    job.stepUntil(() -> first.held().isEmpty(), first);
    job.step(first);
    assertNull(first.failure());
    first.abandon();
    files.kill();
  }

  /// Another process counts the words once more.
  ///
  /// @param times how often each has been counted then
  private void goOn(int times, String... words) {
    Engine second = job.process("second", job.log.client("second"), files);
    job.takeAll(second, 2, false);
    count(second, words);
    assertNull(second.failure());
    Map<String, List<Long>> counts = job.counts();
    for (String word : words) {
      assertEquals(LongStream.rangeClosed(1, times).boxed().toList(), counts.get(word));
    }
    second.abandon();
  }
}

package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.Engine;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.testkit.Interposed;
import dev.millrace.testkit.disk.ModelFiles;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// A task that was split off from another one, and is restored by its worker, as after the loss of
/// its disk.
class RestoredPartTest {
  private static final String[] WORDS =
      IntStream.range(0, 40).mapToObj(i -> "word-" + i).toArray(String[]::new);

  private static final int MOST_ROUNDS = 100;

  private final CountingEngines job = new CountingEngines();

  /// How many questions for offsets are answered before one is not, of those that are asked once
  /// the state of the other task is looked for.
  private int answered = -1;

  private int failed;
  private boolean looks;
  private int rounds;

  /// Whichever of its questions the log does not answer in time, it goes on with the next one.
  @Test
  void whatTheLogDoesNotAnswerIsAskedAgain() {
    ModelFiles files = new ModelFiles(1);
    Engine engine = job.process("process", unsure(job.log.client("process")), files);
    job.takeAll(engine, 1, false);
    round(engine);
    int counting = job.plan.tasks().getLast().number();
    int part = engine.addTask(0);
    engine.knows(part, counting);
    engine.split(counting, part);
    engine.take(part, 2, false);
    job.stepUntil(() -> CountingEngines.owns(engine, part), engine);
    round(engine);
    for (int fails = 0; fails == failed; fails++) {
      answered = fails;
      looks = false;
      for (int i = 0; !looks || i == 0; i++) {
        assertTrue(i < MOST_ROUNDS, "The state is not looked for.");
        spoil(engine, files, job.plan.task(part).toString(), i % 10);
        round(engine);
      }
    }
    assertTrue(failed > 1, "Two questions were asked at least.");
    assertNull(engine.failure());
    Map<String, List<Long>> expected = new TreeMap<>();
    for (String word : WORDS) {
      expected.put(word, LongStream.rangeClosed(1, rounds).boxed().toList());
    }
    assertEquals(expected, job.counts());
    engine.abandon();
  }

  /// Counts each word once more.
  private void round(Engine engine) {
    rounds++;
    int rows = rounds * WORDS.length;
    job.write(WORDS);
    job.stepUntil(() -> job.rows() == rows, engine);
  }

  /// Has the files of a task be corrupt, which shows when they are opened anew because an operation
  /// has failed.
  ///
  /// @param after so many others
  private void spoil(Engine engine, ModelFiles files, String task, int after) {
    job.stepUntil(() -> !files(files, task).isEmpty(), engine);
    files(files, task).forEach(name -> files.truncate(name, files.lengthOf(name) / 2));
    long next = files.operations() + after;
    files.failBetween(next, next);
  }

  private static List<String> files(ModelFiles files, String task) {
    return files.names().stream().filter(name -> name.startsWith(task + ".")).toList();
  }

  /// A log that does not answer one of the questions that are asked while somebody reads what a
  /// task has of another one.
  private Log unsure(Log log) {
    return Interposed.before(
        Log.class,
        log,
        (name, arguments, call) -> {
          looks |= name.equals("reader") && arguments.getFirst().equals("base");
          if (looks && name.equals("offsets") && answered-- == 0) {
            failed++;
            throw new LogException(LogException.Kind.UNAVAILABLE, "No answer in time.");
          }
          return call.go();
        });
  }
}

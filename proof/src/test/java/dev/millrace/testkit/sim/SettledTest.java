package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.Engine;
import dev.millrace.spi.Log;
import dev.millrace.spi.SplitReader;
import dev.millrace.testkit.Interposed;
import dev.millrace.testkit.disk.ModelFiles;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Whether a container says that all of its tasks have begun.
class SettledTest {
  private final CountingEngines job = new CountingEngines();
  private final AtomicBoolean found = new AtomicBoolean();

  /// A position that the log does not have any more is told before the job says that it runs: so a
  /// task that has come does not count as begun before its positions are looked at.
  @Test
  void aTaskThatHasJustComeIsNotSettledBeforeItsPositionsAreFound() {
    Log log = hidesPositions(job.log.client("process"));
    Engine engine = job.process("process", log, new ModelFiles(1));
    job.stepUntil(engine::settled, engine); // it has nothing to do
    engine.take(0, 1, true);
    job.stepUntil(() -> CountingEngines.owns(engine, 0), engine);
    assertFalse(engine.settled());
    for (int i = 0; i < 100; i++) {
      job.step(engine);
      assertFalse(engine.settled(), "Nothing is known of its position.");
    }
    found.set(true);
    job.step(engine);
    assertTrue(engine.settled());
    engine.abandon();
  }

  /// A log whose readers do not know their positions until [#found] is set.
  private Log hidesPositions(Log real) {
    return Interposed.before(
        Log.class,
        real,
        (name, _, call) ->
            name.equals("reader") ? hidesPositions((SplitReader) call.go()) : call.go());
  }

  private SplitReader hidesPositions(SplitReader real) {
    return Interposed.before(
        SplitReader.class,
        real,
        (name, _, call) -> name.equals("isFound") ? found.get() : call.go());
  }
}

package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.Engine;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.testkit.Interposed;
import dev.millrace.testkit.disk.ModelFiles;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A process dies while it writes to the topic of claims: what it has open there holds up whoever
/// reads them, for a minute if nobody ends it.
class HeldUpClaimsTest {
  private final CountingEngines job = new CountingEngines();
  private final Engine heir = job.process("heir");
  private boolean armed;
  private boolean claims;

  /// Nothing is done by the process from here on.
  private static final class Death extends Error {}

  /// It is known whom to bar: whose earlier claims can be read.
  @Test
  void theTasksOfWhoDiedAreTakenOverAtOnce() {
    Engine mortal = job.process("mortal", dying(job.log.client("mortal")), new ModelFiles(1));
    job.takeAll(mortal, 1, false);
    job.stepUntil(() -> CountingEngines.owns(mortal, 0) && CountingEngines.owns(mortal, 1), mortal);
    mortal.give(1);
    dies(mortal);
    requireTakenOver(Duration.ofSeconds(1));
  }

  /// Nothing else is known of who died.
  @Test
  void whatWasOpenForLongIsEnded() {
    Engine mortal = job.process("mortal", dying(job.log.client("mortal")), new ModelFiles(1));
    job.stepUntil(mortal::settled, mortal);
    mortal.take(1, 1, false);
    dies(mortal);
    requireTakenOver(Duration.ofSeconds(12));
  }

  private void dies(Engine mortal) {
    job.stepUntil(heir::settled, heir);
    armed = true;
    assertThrows(Death.class, () -> job.stepUntil(() -> false, mortal));
  }

  private void requireTakenOver(Duration atMost) {
    long before = job.log.clock().nanos();
    job.takeAll(heir, 2, true);
    while (!(CountingEngines.owns(heir, 0) && CountingEngines.owns(heir, 1))) {
      long took = job.log.clock().nanos() - before;
      assertTrue(took < atMost.toNanos(), () -> "Not taken over: " + heir.held());
      job.step(heir);
    }
    job.write("word");
    job.stepUntil(() -> job.rows() == 1, heir);
    heir.abandon();
  }

  /// A log whose writers do not end the next transaction that has claims, once they are [#armed].
  private Log dying(Log real) {
    return Interposed.before(
        Log.class,
        real,
        (_, _, call) -> {
          Object made = call.go();
          return made instanceof TransactionalWriter writer ? dying(writer) : made;
        });
  }

  private TransactionalWriter dying(TransactionalWriter real) {
    return Interposed.before(
        TransactionalWriter.class,
        real,
        (name, arguments, call) -> {
          if (armed && name.equals("send")) {
            claims |= ((Split) arguments.getFirst()).stream().equals(job.plan.claimsTopic());
          }
          if (claims && name.equals("commit")) {
            throw new Death();
          }
          return call.go();
        });
  }
}

package dev.millrace.internal.engine.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.plan.PlanDescription;
import dev.millrace.internal.engine.plan.PlanDescription.Kind;
import dev.millrace.internal.engine.plan.PlanDescription.Part;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A batch may go beyond the stable end that was asked for before, and end within a transaction.
class StableEndTest {
  private static final PlanDescription PLAN =
      new PlanDescription(List.of(new Part(Kind.APPLICATION, "app", Parameters.NONE)));

  /// Otherwise a process would take its change for finalized: its plan is there, and no deployment.
  @Test
  void whatLiesBehindTheStableEndIsNotTakenOver() {
    RecordBatch batch = Recorded.record(new Split("app-versions", 0), PLAN, 0);
    Recorded recorded = new Recorded();
    recorded.notice(batch, batch.offset(0));
    assertNull(recorded.plan());
    recorded.notice(batch, batch.offset(0) + 1);
    assertEquals(PLAN, recorded.plan());
  }
}

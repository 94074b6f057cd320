package dev.millrace.internal.cluster.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.plan.StateSizes;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StateReportTest {
  private static final Split SPLIT = new Split("app-placement", 0);

  private static StateReport report(int task, int tasks, long migrated, Map<Integer, Long> stores) {
    return new StateReport(task, tasks, migrated, new TreeMap<>(stores));
  }

  @Test
  void whatIsWrittenIsRead() {
    StateReport report = report(3, 4, 5, Map.of(1, 7L, 12, Long.MAX_VALUE));
    RecordBatch batch = report.record(SPLIT, 1_000);
    assertEquals(report, StateReport.read(batch, 0));
  }

  @Test
  void whatALaterVersionAddsIsPassedOver() {
    String known = "millrace state 1\ntasks = 2\nstore 1 = 5\n";
    StateReport expected = report(0, 2, 0, Map.of(1, 5L));
    assertEquals(expected, StateReport.read("state/0", known));
    assertEquals(expected, StateReport.read("state/0", known + "entries of 1 = many\nmore\n"));
    for (String other : List.of("", "millrace state 2\ntasks = 2\n", known.replace("5", "five"))) {
      assertNull(StateReport.read("state/0", other), other);
    }
    assertNull(StateReport.read("state/x", known));
    assertNull(StateReport.read("other/0", known));
  }

  /// Such a record stands beside others.
  @Test
  void anotherRecordIsNone() {
    RecordBatch batch = Recorded.record(SPLIT, "member/a", "millrace state 1\ntasks = 2\n", 0);
    assertNull(StateReport.read(batch, 0));
  }

  @Test
  void aStoreThatGrewByMoreThanAShareDiffers() {
    StateReport before = report(0, 2, 5, Map.of(1, 100L, 2, 0L));
    assertFalse(report(0, 2, 9, Map.of(1, 100L, 2, 0L)).differs(before, 0));
    assertFalse(report(0, 2, 5, Map.of(1, 110L, 2, 0L)).differs(before, 0.1));
    assertTrue(report(0, 2, 5, Map.of(1, 111L, 2, 0L)).differs(before, 0.1));
    assertTrue(report(0, 2, 5, Map.of(1, 89L, 2, 0L)).differs(before, 0.1));
    assertTrue(report(0, 2, 5, Map.of(1, 100L, 2, 1L)).differs(before, 0.1));
    assertTrue(report(0, 2, 5, Map.of(1, 100L)).differs(before, 0.1));
  }

  @Test
  void tasksAreToldTogether() {
    StateSizes sizes =
        StateReports.together(
            List.of(
                report(0, 2, 40, Map.of(1, 10L, 2, 1L)), report(1, 2, 60, Map.of(1, 20L, 3, 2L))),
            2);
    assertEquals(Map.of(1, 30L, 2, 1L, 3, 2L), sizes.bytes());
    assertEquals(100, sizes.bytesPerSecond());
    assertTrue(sizes.isComplete());
  }

  @Test
  void whatWasToldUnderAnotherNumberOfTasksDoesNotCount() {
    StateSizes sizes =
        StateReports.together(
            List.of(
                report(0, 2, 0, Map.of(1, 10L)),
                report(1, 4, 0, Map.of(1, 20L)),
                report(3, 4, 0, Map.of(1, 40L))),
            2);
    assertEquals(Map.of(1, 10L), sizes.bytes());
    assertTrue(sizes.isKnown());
    assertFalse(sizes.isComplete());
    assertEquals(0, sizes.bytesPerSecond());
  }
}

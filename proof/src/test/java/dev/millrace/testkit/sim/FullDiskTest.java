package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.testkit.disk.ModelFiles;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A job whose disk is full waits for space, however long that takes, and loses nothing meanwhile.
class FullDiskTest {
  private static final int KEYS = 8_000;
  private static final int VALUE_CHARS = 100;
  private static final int SHARE_BYTES = 100_000;
  private static final int ASKED = 50;

  /// Far more pauses than a job tries to mend what goes wrong.
  private static final Duration LONG = Duration.ofMinutes(5);

  /// Each key is given a value, then some are asked for.
  private final NotesRun notes =
      new NotesRun(
          true,
          SimulationSettings.of("in")
              .withLimits(
                  StateLimits.defaults()
                      .withCacheBytes(SHARE_BYTES)
                      .withCommittedShareBytes(SHARE_BYTES)));

  private final Simulation simulation = notes.simulation;

  FullDiskTest() {
    for (int key = 0; key < KEYS; key++) {
      notes.add("k" + key, "grow " + VALUE_CHARS);
    }
    for (int key = 0; key < KEYS; key += KEYS / ASKED) {
      notes.add("k" + key, "get");
    }
  }

  @Test
  void recordsAreTakenUntilMemoryIsFullAndAgainWhenThereIsSpace() {
    simulation.files(0).limitBytes(20_000);
    simulation.startAll();
    pass(LONG);
    assertTrue(worker().waitsForSpace());
    long taken = task().processed();
    assertTrue(taken > 0 && taken < KEYS / 2, "It took " + taken + " records.");
    assertTrue(task().stateBytes() < 10L * SHARE_BYTES, "It keeps " + task().stateBytes());
    pass(LONG);
    assertEquals(taken, task().processed());
    free();
    requireExact();
    assertFalse(worker().waitsForSpace());
  }

  @Test
  void aStopOnAFullDiskIsInOrder() {
    simulation.files(0).limitBytes(20_000);
    simulation.startAll();
    pass(LONG);
    simulation.stopAll();
    while (simulation.allRun() && !Objects.requireNonNull(simulation.engine(0)).finished()) {
      simulation.step();
    }
    free();
    requireExact();
  }

  @Test
  void aCrashOnAFullDiskIsRecoveredFromOnceThereIsSpace() {
    simulation.files(0).limitBytes(20_000);
    simulation.startAll();
    pass(LONG);
    for (int crash = 0; crash < 3; crash++) {
      simulation.crash(0, crash == 1);
      simulation.startAll();
      pass(LONG);
    }
    free();
    requireExact();
  }

  @Test
  void aRestoreWaitsForSpaceAndGoesOn() {
    simulation.startAll();
    while (simulation.log().committedPositions("notes").isEmpty()
        || task().processed() < KEYS / 2) {
      simulation.step();
    }
    simulation.crash(0, false);
    ModelFiles small = new ModelFiles(3);
    small.limitBytes(50_000);
    simulation.moveTo(0, small);
    pass(LONG);
    assertTrue(worker().waitsForSpace());
    assertEquals(0, task().processed());
    assertTrue(task().restoreRemaining() > 0);
    free();
    requireExact();
    assertFalse(worker().waitsForSpace());
  }

  @Test
  void aSnapshotIsFetchedOnceThereIsSpace() {
    simulation.snapshots(Duration.ofMillis(50), Duration.ofMillis(10));
    simulation.startAll();
    while (task().snapshots().taken() < 2) {
      simulation.step();
    }
    simulation.crash(0, false);
    ModelFiles small = new ModelFiles(3);
    small.limitBytes(10_000);
    simulation.moveTo(0, small);
    pass(LONG);
    assertTrue(worker().waitsForSpace());
    assertEquals(-1, task().snapshots().restoredOffset());
    free();
    requireExact();
    assertTrue(task().snapshots().restoredOffset() > 0);
  }

  private void pass(Duration time) {
    long until = simulation.log().clock().nanos() + time.toNanos();
    while (simulation.log().clock().nanos() < until) {
      simulation.step();
      assertEquals(List.of(), simulation.failures());
    }
  }

  private void free() {
    simulation.files(0).limitBytes(Long.MAX_VALUE);
  }

  private TaskMetrics task() {
    return engine().taskMetrics().values().iterator().next();
  }

  private WorkerMetrics worker() {
    return engine().workerMetrics().getFirst();
  }

  private Engine engine() {
    return Objects.requireNonNull(simulation.engine(0));
  }

  private void requireExact() {
    notes.complete();
    simulation.log().advance(Duration.ofSeconds(1));
    assertEquals(Collections.nCopies(ASKED, "x".repeat(VALUE_CHARS)), notes.out());
    assertEquals(List.of(), simulation.failures());
  }
}

package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.RecordPlace;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What is refused, when, and what is said of it.
class RefusalsTest {
  private static final Split IN = new Split("in", 0);

  private static SimulationSettings settings(OnError policy, RecordPlace... skipped) {
    SimulationSettings settings = SimulationSettings.of("in");
    return settings.withEngine(engine ->
        engine.withErrors(errors -> errors.withOnError(policy).withSkip(Set.of(skipped))));
  }

  private static RecordPlace in(long offset) {
    return new RecordPlace("in", 0, offset);
  }

  private static void assertNames(Failure failure, RecordPlace place) {
    assertTrue(failure.message().contains("--skip " + place + ","), failure::message);
  }

  /// Values are measured one by one only at first, so this one is found by the commit.
  private static NotesRun oneTooLarge(SimulationSettings settings) {
    NotesRun run = new NotesRun(false, settings);
    for (int i = 0; i < 100; i++) {
      run.add("k" + i, i == 90 ? "grow 1000000" : "put small");
    }
    return run.add("k91", "get");
  }

  @Test
  void aValueThatIsFoundTooLargeByTheCommitIsTheFaultOfItsRecord() {
    Failure failure = oneTooLarge(settings(OnError.FAIL)).fail(Failure.Kind.BAD_INPUT);
    assertNames(failure, in(90));
    assertTrue(failure.message().contains("keeper"), failure::message);

    assertEquals(List.of("small"), oneTooLarge(settings(OnError.FAIL, in(90))).process().out());
    assertEquals(List.of("small"), oneTooLarge(settings(OnError.SKIP)).process().out());
  }

  @Test
  void anEventTimeBeforeTheYear1970IsTheFaultOfItsRecordWhereItLeaves() {
    NotesRun run = new NotesRun(false, settings(OnError.FAIL));
    run.add("a", "get").add("b", "-5 get").add("c", "get");
    Failure failure = run.fail(Failure.Kind.BAD_INPUT);
    assertNames(failure, in(1));
    assertTrue(failure.message().contains("1970"), failure::message);
  }

  @Test
  void aProcessorThatDoesNotReadAllItIsGivenIsFound() {
    NotesRun run = new NotesRun(false, settings(OnError.FAIL));
    run.add("a", "get").add("b", "stop").add("c", "get");
    String said = run.fail(Failure.Kind.BAD_INPUT).message();
    assertTrue(said.contains("It returned after 2 of 3 records."), said);
    assertEquals(List.of(), run.out());
  }

  @Test
  void whatFailsWhileItIsClosedNeitherHoldsUpTheEndNorHidesWhyItCame() {
    NotesRun ends = new NotesRun(true, settings(OnError.FAIL));
    ends.add("a", "put x").add("b", "close").add("a", "get").complete();
    assertEquals(List.of("x"), ends.out());

    NotesRun fails = new NotesRun(true, settings(OnError.FAIL));
    fails.add("b", "close").add("a", "fail");
    assertNames(fails.fail(Failure.Kind.BAD_INPUT), in(1));
  }

  @Test
  void boundedInputMayNotBecomeUnboundedNorTheOtherWayRound() {
    for (boolean before : List.of(true, false)) {
      NotesRun run = new NotesRun(before, settings(OnError.FAIL));
      run.add("a", "put x").process();
      run.simulation.crash(0, false);
      run.simulation.application(new Notes("", !before));
      String said = run.fail(Failure.Kind.SETUP).message();
      assertTrue(said.contains("in-0 as " + (before ? "bounded" : "unbounded")), said);
    }
  }

  @Test
  void boundedInputEndsBehindWhatWasCommittedBeforeTheStartThoughItsMarkerComesLate() {
    NotesRun run = new NotesRun(true, settings(OnError.FAIL));
    var log = run.simulation.log();
    log.hang(IN, "writer", "a", "1 get");
    run.simulation.startAll();
    for (int i = 0; i < 1_000; i++) {
      run.simulation.step();
    }
    assertTrue(!run.simulation.completed(), "It ended before what is undecided.");
    for (var open : log.openTransactions(IN)) {
      log.abortHanging(IN, open);
    }
    run.complete();
    log.advance(Duration.ofSeconds(1));
    assertEquals(List.of(), run.out());
  }
}

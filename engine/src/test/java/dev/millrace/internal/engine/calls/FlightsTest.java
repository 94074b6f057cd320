package dev.millrace.internal.engine.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/// When calls begin, and what becomes of those that fail.
class FlightsTest {
  private final FakeCalls calls = new FakeCalls();
  private final List<Object> asked = new ArrayList<>();
  private boolean failing;

  private Object answer(Object question) {
    asked.add(question);
    if (failing) {
      throw new IllegalStateException("closed today");
    }
    return "answer to " + question;
  }

  private Call<Object, Object> blocking() {
    return Call.blocking(this::answer);
  }

  private Flights flights(Call<Object, Object> call) {
    return calls.calls().flights("call 'c'", call, calls.metrics());
  }

  private void pass(long millis) {
    calls.pass(millis);
  }

  /// One call comes to its end.
  private void end(Flights flights) {
    calls.endFirst();
    flights.poll();
  }

  @Test
  void noMoreAreUnderWayInAProcessThanMayBe() {
    Call<Object, Object> call = blocking().inFlight(3);
    Flights one = flights(call);
    Flights other = flights(call);
    for (int i = 0; i < 5; i++) {
      one.ask(i);
      other.ask(i);
    }
    one.poll();
    other.poll();
    assertEquals(3, calls.underWay());
    end(one);
    other.poll();
    assertEquals(3, calls.underWay());
  }

  @Test
  void whatATaskGivesUpIsNotUnderWayAnyMore() {
    Call<Object, Object> call = blocking().inFlight(1);
    Flights one = flights(call);
    one.ask("a");
    one.poll();
    one.close();
    Flights other = flights(call);
    other.ask("b");
    other.poll();
    assertEquals(2, calls.underWay());
    end(other);
    assertTrue(asked.isEmpty(), "What was given up before it ran does not run.");
  }

  @Test
  void callsAreSpreadEvenlyOverASecond() {
    Flights flights = flights(blocking().perSecond(10));
    for (int i = 0; i < 30; i++) {
      flights.ask(i);
    }
    List<Integer> perStep = new ArrayList<>();
    for (int step = 0; step < 8; step++) {
      flights.poll();
      perStep.add(calls.underWay());
      pass(50);
    }
    assertEquals(List.of(1, 1, 2, 2, 3, 3, 4, 4), perStep);
    // What was not used is not made up for.
    while (calls.underWay() > 0) {
      end(flights);
    }
    pass(10_000);
    flights.poll();
    assertTrue(calls.underWay() <= 2, calls.underWay() + " began at once");
  }

  @Test
  void aCallThatFailsIsRepeatedAfterPausesThatDouble() {
    failing = true;
    Flights flights = flights(blocking().retries(2, Duration.ofMillis(100)));
    Asked question = flights.ask("a");
    flights.poll();
    end(flights);
    pass(99);
    flights.poll();
    assertEquals(0, calls.underWay());
    pass(1);
    flights.poll();
    end(flights);
    pass(199);
    flights.poll();
    assertEquals(0, calls.underWay());
    pass(1);
    flights.poll();
    assertFalse(question.isAnswered());
    end(flights);
    assertTrue(question.isAnswered());
    CallFailedException failed = assertThrows(CallFailedException.class, question::answer);
    assertEquals(
        "call 'c' has failed 3 times, the last time with: java.lang.IllegalStateException: closed"
            + " today. The next start calls it again; to give an answer instead, add otherwise(...)"
            + " to the call. It was called with: a",
        failed.getMessage());
  }

  @Test
  void aPauseThatHasDoubledForLongStaysLong() {
    failing = true;
    long days = 24 * 60 * 60 * 1_000L;
    long years = 365 * days;
    Flights flights = flights(blocking().retries(20, Duration.ofDays(2)));
    Asked question = flights.ask("a");
    flights.poll();
    for (int i = 0; i < 20; i++) {
      end(flights);
      // From the sixteenth on it would be more than a clock of nanoseconds tells apart.
      long known = i < 15 ? (2 * days << i) - 1 : 100 * years;
      pass(known);
      flights.poll();
      assertEquals(0, calls.underWay(), "repetition " + i);
      pass(i < 15 ? 1 : 50 * years);
      flights.poll();
      assertEquals(1, calls.underWay(), "repetition " + i);
    }
    end(flights);
    assertThrows(CallFailedException.class, question::answer);
  }

  @Test
  void whatIsDueFirstIsRepeatedFirstAlsoWhereTheClockRunsOver() {
    failing = true;
    Flights flights = flights(blocking().inFlight(1).retries(1, Duration.ofNanos(500)));
    flights.ask("a");
    flights.ask("b");
    flights.poll();
    end(flights);
    pass(1); // the clock runs over between a's repetition and b's
    end(flights);
    assertEquals(1, calls.underWay());
    end(flights);
    assertEquals(List.of("a", "b", "a"), asked);
  }

  @Test
  void timesMayLastForEver() {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    Flights flights =
        flights(
            blocking()
                .inFlight(1)
                .timeout(forever)
                .retries(1, forever)
                .breaker(1, forever)
                .cache(10, forever));
    Asked slow = flights.ask("slow");
    flights.poll();
    long almost = Duration.ofDays(36_499).toMillis();
    pass(almost);
    flights.poll();
    assertFalse(slow.isAnswered());
    end(flights);
    pass(almost);
    assertEquals("answer to slow", flights.ask("slow").answer());
    failing = true;
    Asked failed = flights.ask("failed");
    flights.poll();
    end(flights);
    pass(almost);
    flights.poll();
    assertEquals(0, calls.underWay(), "Calls pause.");
    assertTrue(calls.metrics().paused());
    assertFalse(failed.isAnswered());
  }

  @Test
  void theApplicationMaySayWhatHoldsInstead() {
    failing = true;
    Flights flights =
        flights(
            blocking()
                .retries(0, Duration.ofMillis(1))
                .otherwise((question, cause) -> question + ": " + cause.getMessage()));
    Asked question = flights.ask("a");
    flights.poll();
    end(flights);
    assertEquals("a: closed today", question.answer());
  }

  @Test
  void aCallThatTakesTooLongIsRepeatedAndWhatComesOfTheFirstIsNotTaken() {
    Flights flights =
        flights(blocking().timeout(Duration.ofSeconds(1)).retries(1, Duration.ofMillis(1)));
    Asked question = flights.ask("a");
    flights.poll();
    Runnable first = calls.takeFirst();
    pass(1_000);
    flights.poll();
    pass(1);
    flights.poll();
    assertEquals(1, calls.underWay());
    first.run();
    flights.poll();
    assertFalse(question.isAnswered());
    end(flights);
    assertEquals("answer to a", question.answer());
  }

  @Test
  void afterFailuresInARowCallsPauseAndThenOneTries() {
    failing = true;
    Flights flights =
        flights(blocking().breaker(2, Duration.ofSeconds(5)).retries(100, Duration.ofMillis(1)));
    for (int i = 0; i < 4; i++) {
      flights.ask(i);
    }
    flights.poll();
    assertEquals(4, calls.underWay());
    while (calls.underWay() > 0) {
      end(flights);
    }
    pass(4_999);
    flights.poll();
    assertEquals(0, calls.underWay());
    pass(1);
    flights.poll();
    assertEquals(1, calls.underWay());
    end(flights);
    pass(4_999);
    flights.poll();
    assertEquals(0, calls.underWay());
    pass(1);
    failing = false;
    flights.poll();
    assertEquals(1, calls.underWay());
    end(flights);
    pass(1_000);
    flights.poll();
    assertEquals(3, calls.underWay());
  }

  @Test
  void equalQuestionsAreAskedOnceAndAnswersAreKeptForAWhile() {
    Flights flights = flights(blocking().cache(2, Duration.ofSeconds(10)));
    Asked first = flights.ask("a");
    Asked second = flights.ask("a");
    flights.poll();
    assertEquals(1, calls.underWay());
    end(flights);
    assertEquals("answer to a", first.answer());
    assertEquals("answer to a", second.answer());
    pass(9_999);
    assertTrue(flights.ask("a").isAnswered());
    pass(1);
    assertFalse(flights.ask("a").isAnswered());
    flights.ask("b");
    flights.ask("c");
    flights.poll();
    while (calls.underWay() > 0) {
      end(flights);
    }
    assertTrue(flights.ask("c").isAnswered());
    assertTrue(flights.ask("b").isAnswered());
    assertFalse(flights.ask("a").isAnswered());
  }

  @Test
  void asManyAsWaitAreAskedAtOnce() {
    List<Integer> sizes = new ArrayList<>();
    Flights flights =
        flights(
            Call.batched(
                3,
                questions -> {
                  sizes.add(questions.size());
                  return questions.stream().map(this::answer).toList();
                }));
    List<Asked> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      all.add(flights.ask(i));
    }
    flights.poll();
    while (calls.underWay() > 0) {
      end(flights);
    }
    assertEquals(List.of(3, 3, 1), sizes);
    assertEquals("answer to 6", all.get(6).answer());
  }

  @Test
  void aBatchWithOtherAnswersThanQuestionsHasFailed() {
    Flights flights =
        flights(
            Call.batched(2, questions -> List.of((Object) "one", "two", "three"))
                .retries(0, Duration.ofMillis(1)));
    Asked first = flights.ask("a");
    flights.ask("b");
    flights.poll();
    end(flights);
    assertFalse(first.isAnswered());
    end(flights);
    end(flights);
    CallFailedException failed = assertThrows(CallFailedException.class, first::answer);
    assertTrue(
        String.valueOf(failed.getMessage()).contains("It returned 3 answers to 1 questions"),
        failed.getMessage());
  }

  @Test
  void thereMayBeNoAnswer() {
    Flights flights = flights(Call.blocking(_ -> null));
    Asked question = flights.ask("a");
    flights.poll();
    end(flights);
    assertTrue(question.isAnswered());
    assertNull(question.answer());
  }

  @Test
  void aFutureThatIsNotThereHasFailed() {
    Flights flights = flights(Call.future(FlightsTest::nothing).retries(0, Duration.ofMillis(1)));
    Asked question = flights.ask("a");
    flights.poll();
    flights.poll();
    CallFailedException failed = assertThrows(CallFailedException.class, question::answer);
    assertTrue(
        String.valueOf(failed.getMessage()).contains("It returned no future."),
        failed.getMessage());
  }

  @SuppressWarnings("NullAway") // as user code may
  private static CompletableFuture<Object> nothing(Object question) {
    return null;
  }

  @Test
  void aFutureThatTakesTooLongIsCancelled() {
    CompletableFuture<Object> never = new CompletableFuture<>();
    Flights flights =
        flights(
            Call.<Object, Object>future(_ -> never)
                .timeout(Duration.ofSeconds(1))
                .retries(0, Duration.ofMillis(1)));
    Asked question = flights.ask("a");
    flights.poll();
    pass(1_000);
    flights.poll();
    assertTrue(never.isCancelled());
    assertThrows(CallFailedException.class, question::answer);
  }

  /// What may come of a client that is never done, and must not be given up, or does not know how.
  private static List<CompletionStage<Object>> stubborn() {
    CompletionStage<Object> minimal = new CompletableFuture<>().minimalCompletionStage();
    CompletableFuture<Object> throwing =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            throw new IllegalStateException("closed today");
          }
        };
    return List.of(minimal, minimal.thenApply(answer -> answer), throwing);
  }

  @Test
  void futuresThatCannotBeCancelledGiveWayToOthersWhenTheTaskIsClosed() {
    for (CompletionStage<Object> never : stubborn()) {
      List<Object> begun = new ArrayList<>();
      Call<Object, Object> call =
          Call.<Object, Object>future(
                  question -> {
                    begun.add(question);
                    return never;
                  })
              .inFlight(2);
      FakeCalls own = new FakeCalls();
      Flights closed = own.calls().flights("call 'c'", call, own.metrics());
      closed.ask("a");
      closed.ask("b");
      closed.poll();
      closed.close();
      Flights next = own.calls().flights("call 'c'", call, own.metrics());
      next.ask("c");
      next.ask("d");
      next.poll();
      assertEquals(List.of("a", "b", "c", "d"), begun, never.getClass().getName());
    }
  }

  @Test
  void futuresThatCannotBeCancelledGiveWayToOthersWhenTheyTakeTooLong() {
    for (CompletionStage<Object> never : stubborn()) {
      List<Object> begun = new ArrayList<>();
      Call<Object, Object> call =
          Call.<Object, Object>future(
                  question -> {
                    begun.add(question);
                    return never;
                  })
              .inFlight(1)
              .timeout(Duration.ofSeconds(1))
              .retries(0, Duration.ofMillis(1));
      FakeCalls own = new FakeCalls();
      Flights flights = own.calls().flights("call 'c'", call, own.metrics());
      Asked first = flights.ask("a");
      flights.ask("b");
      flights.poll();
      own.pass(1_000);
      flights.poll();
      CallFailedException failed = assertThrows(CallFailedException.class, first::answer);
      assertInstanceOf(TimeoutException.class, failed.getCause());
      assertEquals(List.of("a", "b"), begun, never.getClass().getName());
    }
  }

  @Test
  void aFutureThatCannotBeListenedToHasFailed() {
    CompletableFuture<Object> deaf =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<Object> whenComplete(
              BiConsumer<? super Object, ? super Throwable> action) {
            throw new IllegalStateException("closed today");
          }
        };
    Flights flights =
        flights(Call.<Object, Object>future(_ -> deaf).retries(0, Duration.ofMillis(1)));
    Asked question = flights.ask("a");
    flights.poll();
    flights.poll();
    CallFailedException failed = assertThrows(CallFailedException.class, question::answer);
    assertTrue(String.valueOf(failed.getMessage()).contains("closed today"), failed.getMessage());
  }
}

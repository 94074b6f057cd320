package dev.millrace.internal.engine.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Of what is asked together only that fails which fails alone.
class BatchesTest {
  private static final Duration PAUSE = Duration.ofMillis(100);

  @Test
  void whatCannotBeAnsweredTakesNothingElseWithIt() {
    for (long seed = 1; seed <= 300; seed++) {
      new Drawn(seed).run();
    }
  }

  /// A system that fails whenever it is asked for something bad, and as often as is drawn for
  /// something that is only late.
  private static final class Drawn {
    private final String run;
    private final Random random;
    private final FakeCalls calls = new FakeCalls();
    private final int inFlight;
    private final int retries;
    private final boolean otherwise;
    private final Flights flights;
    private final Set<Object> bad = new HashSet<>();
    private final Map<Object, Integer> late = new HashMap<>();
    private final List<List<Object>> batches = new ArrayList<>();

    Drawn(long seed) {
      run = "seed " + seed;
      random = new Random(seed);
      inFlight = 1 + random.nextInt(3);
      retries = random.nextInt(4);
      otherwise = random.nextBoolean();
      Call<Object, Object> call =
          Call.<Object, Object>batched(1 + random.nextInt(5), this::answer)
              .inFlight(inFlight)
              .retries(retries, PAUSE);
      if (otherwise) {
        call = call.otherwise((question, _) -> "instead of " + question);
      }
      flights = calls.calls().flights("call 'c'", call, calls.metrics());
    }

    private List<Object> answer(List<Object> questions) {
      batches.add(List.copyOf(questions));
      boolean fails = false;
      for (Object question : questions) {
        fails |= bad.contains(question) || late.merge(question, -1, Integer::sum) >= 0;
      }
      if (fails) {
        throw new IllegalStateException("not these");
      }
      return questions.stream().map(question -> (Object) ("answer to " + question)).toList();
    }

    void run() {
      List<Asked> asked = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        if (random.nextInt(8) == 0) {
          bad.add(i);
        }
        late.put(i, random.nextInt(4) == 0 ? random.nextInt(retries + 1) : 0);
        asked.add(flights.ask(i));
        step();
      }
      for (int step = 0; !asked.stream().allMatch(Asked::isAnswered); step++) {
        assertTrue(step < 5_000, run + ": some have no answer");
        step();
      }
      asked.forEach(this::check);
      checkMetrics();
    }

    private void step() {
      flights.poll();
      assertTrue(calls.underWay() <= inFlight, run + ": " + calls.underWay() + " at once");
      calls.go(random, 2, random.nextInt(150));
      flights.poll();
    }

    private void check(Asked asked) {
      Object question = asked.question();
      CallFailedException failure = asked.failure();
      if (!bad.contains(question)) {
        assertNull(failure, run);
        assertEquals("answer to " + question, asked.answer(), run);
        return;
      }
      List<List<Object>> with = batches.stream().filter(batch -> batch.contains(question)).toList();
      List<List<Object>> together = with.stream().filter(batch -> batch.size() > 1).toList();
      assertEquals(together.isEmpty() ? 0 : retries + 1, together.size(), run);
      assertEquals(retries + 1, with.size() - together.size(), run + ": asked alone");
      if (otherwise) {
        assertEquals("instead of " + question, asked.answer(), run);
      } else {
        String message = Objects.requireNonNull(failure, run).getMessage();
        assertTrue(
            String.valueOf(message).startsWith("call 'c' has failed " + with.size() + " times"),
            message);
      }
    }

    /// Whatever asks again for what was asked before is a repetition.
    private void checkMetrics() {
      Set<Object> seen = new HashSet<>();
      long first = batches.stream().filter(seen::addAll).count();
      assertEquals(batches.size(), calls.metrics().made(), run);
      assertEquals(batches.size() - first, calls.metrics().repeated(), run);
      assertEquals(0, calls.metrics().underWay(), run);
    }
  }

  @Test
  void whatTakesTooLongTogetherIsAskedAloneToo() {
    FakeCalls calls = new FakeCalls();
    Flights flights =
        calls
            .calls()
            .flights(
                "call 'c'",
                Call.batched(
                        3,
                        questions -> questions.stream().map(each -> (Object) (each + "!")).toList())
                    .timeout(Duration.ofSeconds(1))
                    .retries(0, PAUSE),
                calls.metrics());
    List<Asked> asked = List.of(flights.ask("a"), flights.ask("b"), flights.ask("c"));
    flights.poll();
    assertEquals(1, calls.underWay());
    calls.takeFirst(); // it hangs
    calls.pass(1_000);
    flights.poll();
    assertEquals(3, calls.underWay());
    calls.takeFirst(); // and one of them alone
    calls.endFirst();
    calls.endFirst();
    flights.poll();
    assertEquals(2, asked.stream().filter(Asked::isAnswered).count());
    calls.pass(1_000);
    flights.poll();
    List<Asked> failed = asked.stream().filter(each -> each.failure() != null).toList();
    assertEquals(1, failed.size());
    Throwable cause = Objects.requireNonNull(failed.getFirst().failure()).getCause();
    assertInstanceOf(TimeoutException.class, cause);
    asked.stream()
        .filter(each -> each.failure() == null)
        .forEach(each -> assertEquals(each.question() + "!", each.answer()));
  }
}

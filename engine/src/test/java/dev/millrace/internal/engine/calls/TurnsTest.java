package dev.millrace.internal.engine.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import dev.millrace.internal.engine.metrics.CallMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tasks that have more to ask than may begin take turns, however much each of them has.
class TurnsTest {
  private static final int MANY = 2_000;
  private static final int FEW = 50;

  private final FakeCalls calls = new FakeCalls();

  /// The calls of a task, with so much to ask.
  private static final class Asking {
    private final Flights flights;
    private final List<Asked> asked = new ArrayList<>();

    Asking(FakeCalls calls, Runnable wakeup, Call<Object, Object> call, int questions) {
      flights = calls.calls(wakeup).flights("call 'c'", call, new CallMetrics());
      for (int i = 0; i < questions; i++) {
        asked.add(flights.ask(i));
      }
    }

    long answered() {
      return asked.stream().filter(Asked::isAnswered).count();
    }

    boolean isDone() {
      return answered() == asked.size();
    }
  }

  private static Call<Object, Object> call() {
    return Call.blocking(question -> question);
  }

  private Asking asking(Call<Object, Object> call, int questions) {
    return new Asking(calls, () -> {}, call, questions);
  }

  @Test
  void oneWithABacklogLeavesOthersOfItsWorkerTheirShare() {
    for (int inFlight : new int[] {1, 2, 4, 7}) {
      Call<Object, Object> call = call().inFlight(inFlight);
      Asking large = asking(call, MANY);
      Asking small = asking(call, FEW);
      while (!small.isDone()) {
        large.flights.poll();
        small.flights.poll();
        if (calls.underWay() > 0) {
          calls.endFirst();
        }
        calls.pass(1);
        assertTrue(
            large.answered() <= small.answered() + 2 * inFlight + 2,
            "%d of the one, %d of the other, %d at once"
                .formatted(large.answered(), small.answered(), inFlight));
      }
      large.flights.close();
      small.flights.close();
    }
  }

  /// A worker that sleeps looks when it is woken, and only then.
  @Test
  void oneWithABacklogLeavesOthersOfOtherWorkersTheirShare() {
    long together = 0;
    for (long seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed);
      int inFlight = 1 + random.nextInt(5);
      FakeCalls shared = new FakeCalls();
      Call<Object, Object> call = call().inFlight(inFlight);
      List<Asking> workers = new ArrayList<>();
      boolean[] woken = {true, true};
      workers.add(new Asking(shared, () -> woken[0] = true, call, MANY));
      workers.add(new Asking(shared, () -> woken[1] = true, call, FEW));
      Asking large = workers.getFirst();
      Asking small = workers.getLast();
      while (!small.isDone()) {
        int one = random.nextInt(2);
        if (woken[one]) {
          woken[one] = false;
          workers.get(one).flights.poll();
        } else if (!woken[1 - one]) {
          assertEquals(inFlight, shared.underWay(), "seed " + seed + ": some are left unused");
          shared.go(random, inFlight, 1);
        }
        assertTrue(
            large.answered() <= 2 * small.answered() + 3 * inFlight + 2,
            "seed %d: %d of the one, %d of the other, %d at once"
                .formatted(seed, large.answered(), small.answered(), inFlight));
      }
      together += large.answered();
    }
    // Who is polled more often by chance has more, but on the whole nobody has.
    assertEquals(100.0 * FEW, (double) together, 10.0 * FEW);
  }

  @Test
  void thoseOfASecondAreSharedToo() {
    Call<Object, Object> call = call().perSecond(100);
    Asking large = asking(call, MANY);
    Asking small = asking(call, FEW);
    int millis = 0;
    while (!small.isDone()) {
      large.flights.poll();
      small.flights.poll();
      while (calls.underWay() > 0) {
        calls.endFirst();
      }
      calls.pass(1);
      millis++;
      long together = large.answered() + small.answered();
      assertTrue(together <= millis / 10 + 2, together + " in " + millis + " ms");
      assertTrue(together >= millis / 10 - 2, together + " in " + millis + " ms");
      assertTrue(large.answered() <= small.answered() + 2, large.answered() + " of the one");
    }
  }

  @Test
  void whatIsLeftToOneThatStaysAwayIsTakenByOthersBeforeLong() {
    Call<Object, Object> call = call().inFlight(3);
    Asking large = asking(call, MANY);
    Asking small = asking(call, FEW);
    large.flights.poll();
    small.flights.poll();
    step(large, 3);
    // Others go on: one call is left to it, and no more.
    for (int millis = 1; millis < 99; millis++) {
      step(large, 2);
    }
    step(large, 3);
    for (int millis = 0; millis < 200; millis++) {
      step(large, 3);
    }
    assertEquals(300, large.answered() + small.answered());
    // It has kept its turn.
    small.flights.poll();
    calls.endFirst();
    large.flights.poll();
    assertEquals(2, calls.underWay());
    small.flights.poll();
    assertEquals(3, calls.underWay());
  }

  /// A call comes to its end, and one task looks.
  private void step(Asking asking, int underWay) {
    calls.endFirst();
    calls.pass(1);
    asking.flights.poll();
    assertEquals(underWay, calls.underWay(), asking.answered() + " answered");
  }

  @Test
  void whatIsLeftToOneThatStaysAwayIsTheCallsOfNoSecond() {
    Call<Object, Object> call = call().inFlight(MANY).perSecond(100);
    Asking large = asking(call, MANY);
    Asking small = asking(call, FEW);
    large.flights.poll();
    small.flights.poll();
    for (int millis = 0; millis < 1_000; millis++) {
      calls.pass(1);
      large.flights.poll();
    }
    assertTrue(calls.underWay() >= 98, calls.underWay() + " in a second");
    assertTrue(calls.underWay() <= 101, calls.underWay() + " in a second");
  }

  @Test
  void oneThatIsClosedLeavesItsTurnToTheNext() {
    Call<Object, Object> call = call().inFlight(1);
    Asking first = asking(call, 1);
    Asking closed = asking(call, 2);
    boolean[] woken = {false};
    Asking next = new Asking(calls, () -> woken[0] = true, call, 1);
    first.flights.poll();
    closed.flights.poll();
    next.flights.poll();
    calls.endFirst();
    first.flights.poll();
    next.flights.poll();
    assertEquals(0, calls.underWay());
    assertFalse(woken[0]);
    closed.flights.close();
    assertTrue(woken[0]);
    next.flights.poll();
    assertEquals(1, calls.underWay());
    calls.endFirst();
    next.flights.poll();
    assertTrue(next.isDone());
  }
}

package dev.millrace.internal.engine.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import dev.millrace.internal.engine.calls.Gate.Asker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// When a gate lets calls begin, from all that has happened at it.
class GateTest {
  private static final long MILLI = 1_000_000;
  private static final long BREAK_MILLIS = 50;
  private static final long PATIENCE_MILLIS = 100;

  /// Clocks count from anywhere: here the number runs over on the way.
  private static final long START = Long.MAX_VALUE - 100 * MILLI;

  private static Gate gate(int inFlight, double perSecond, int breakAfter) {
    return new Gate(
        new Call.Limits(
            inFlight,
            Duration.ofSeconds(1),
            0,
            Duration.ofMillis(1),
            perSecond,
            breakAfter,
            breakAfter == 0 ? Duration.ZERO : Duration.ofMillis(BREAK_MILLIS)));
  }

  private enum What {
    BEGUN,
    REFUSED,
    SUCCEEDED,
    FAILED,
    ABANDONED,
    LEFT
  }

  private record Event(What what, int by, long millis) {}

  /// What follows from a history.
  private record History(List<Event> events, int askers, int inFlight, int breakAfter) {
    private long count(Predicate<Event> counted, int from) {
      return events.stream().skip(from).filter(counted).count();
    }

    private int behindLast(Predicate<Event> wanted) {
      int behind = 0;
      for (int i = 0; i < events.size(); i++) {
        behind = wanted.test(events.get(i)) ? i + 1 : behind;
      }
      return behind;
    }

    private static Predicate<Event> is(What... any) {
      return event -> List.of(any).contains(event.what);
    }

    long underWay() {
      return count(is(What.BEGUN), 0) - count(is(What.SUCCEEDED, What.FAILED, What.ABANDONED), 0);
    }

    boolean pauses() {
      int from = behindLast(is(What.SUCCEEDED));
      return breakAfter > 0 && count(is(What.FAILED), from) >= breakAfter;
    }

    private long free(long millis) {
      long free = inFlight - underWay();
      if (!pauses()) {
        return free;
      }
      long failed = events.get(behindLast(is(What.FAILED)) - 1).millis;
      boolean oneTries = count(is(What.BEGUN), behindLast(is(What.FAILED, What.ABANDONED))) > 0;
      return oneTries || millis - failed < BREAK_MILLIS ? 0 : Math.min(free, 1);
    }

    /// Since which event somebody waits for a turn; as if from now on if not at all.
    private int refusedSince(int asker) {
      Predicate<Event> own = event -> event.by == asker;
      for (int i = behindLast(own.and(is(What.BEGUN, What.LEFT))); i < events.size(); i++) {
        if (own.and(is(What.REFUSED)).test(events.get(i))) {
          return i;
        }
      }
      return events.size();
    }

    /// Those who wait for their turns and asked not long ago, in the order of the turns.
    private List<Integer> line(long millis) {
      return IntStream.range(0, askers)
          .boxed()
          .filter(each -> refusedSince(each) < events.size())
          .filter(each -> {
            int last = behindLast(event -> event.by == each && is(What.REFUSED).test(event));
            return millis - events.get(last - 1).millis < PATIENCE_MILLIS;
          })
          .sorted(Comparator.comparing(this::refusedSince))
          .toList();
    }

    boolean mayBegin(int asker, long millis) {
      long ahead =
          line(millis).stream().filter(each -> refusedSince(each) < refusedSince(asker)).count();
      return ahead < free(millis);
    }

    /// Whom it wakes if somebody ends a call or leaves; -1 for nobody.
    int woken(int by, long millis) {
      List<Integer> line = line(millis);
      long free = free(millis);
      boolean any = free > 0 && free <= line.size() && line.get((int) free - 1) != by;
      return any ? line.get((int) free - 1) : -1;
    }
  }

  @Test
  void whatMayBeginFollowsFromWhatHappened() {
    for (long seed = 1; seed <= 300; seed++) {
      new Drawn(seed).run();
    }
  }

  /// A run with what is drawn from a seed.
  private static final class Drawn {
    private final String run;
    private final Random random;
    private final Gate gate;
    private final History history;
    private final List<Asker> askers = new ArrayList<>();
    private int woken = -1;
    private long millis;

    Drawn(long seed) {
      run = "seed " + seed;
      random = new Random(seed);
      int inFlight = 1 + random.nextInt(4);
      int breakAfter = random.nextInt(4);
      gate = gate(inFlight, 0, breakAfter);
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        int number = askers.size();
        askers.add(new Asker(() -> woken = number));
      }
      history = new History(new ArrayList<>(), askers.size(), inFlight, breakAfter);
    }

    void run() {
      for (int i = 0; i < 200; i++) {
        millis += random.nextInt(30);
        int by = random.nextInt(askers.size());
        String where = run + ", event " + i + ": " + history;
        woken = -1;
        if (random.nextInt(20) == 0) {
          add(What.LEFT, by);
          gate.leave(askers.get(by), now());
          assertEquals(history.woken(by, millis), woken, where);
        } else if (history.underWay() > 0 && random.nextBoolean()) {
          end(by, where);
        } else {
          boolean may = history.mayBegin(by, millis);
          assertEquals(may, gate.begin(askers.get(by), now()), where);
          add(may ? What.BEGUN : What.REFUSED, by);
        }
        assertEquals(history.pauses(), gate.isPaused(), where);
      }
    }

    private void end(int by, String where) {
      What what = List.of(What.SUCCEEDED, What.FAILED, What.ABANDONED).get(random.nextInt(3));
      boolean paused = history.pauses();
      add(what, by);
      if (what == What.ABANDONED) {
        gate.abandoned(askers.get(by), now());
      } else {
        boolean opens = gate.ended(askers.get(by), what == What.SUCCEEDED, now());
        assertEquals(!paused && history.pauses(), opens, where);
      }
      assertEquals(history.woken(by, millis), woken, where);
    }

    private void add(What what, int by) {
      history.events.add(new Event(what, by, millis));
    }

    private long now() {
      return START + millis * MILLI;
    }
  }

  /// However long nothing was asked before, and at whatever moments it is tried.
  @Test
  void asManyBeginInAnyTimeAsASecondAllowsAndHardlyFewer() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      double perSecond = 1 + random.nextInt(200);
      Gate gate = gate(Integer.MAX_VALUE, perSecond, 0);
      Asker asker = new Asker(() -> {});
      List<Double> begun = new ArrayList<>();
      double seconds = 0;
      double rest = random.nextInt(20);
      while (seconds < 40) {
        seconds += random.nextDouble() * 2 / 1_000;
        boolean asks = seconds < 10 || seconds > 10 + rest;
        if (asks && gate.begin(asker, START + (long) (seconds * 1e9))) {
          begun.add(seconds);
        }
      }
      double asked = seconds - rest;
      assertTrue(
          begun.size() >= asked * perSecond * 0.99 - 2, "seed " + seed + ": " + begun.size());
      requireSpread(begun, perSecond, 2, "seed " + seed);
    }
  }

  /// @param more how many may begin at once behind a while without any
  private static void requireSpread(List<Double> begun, double perSecond, int more, String where) {
    for (int i = 0; i < begun.size(); i++) {
      for (int j = i + 1; j < Math.min(begun.size(), i + 20 + more); j++) {
        double least = (j - i - more) / perSecond;
        double took = begun.get(j) - begun.get(i);
        if (took < least) {
          throw new AssertionError("%s: %d in %f s".formatted(where, j - i + 1, took));
        }
      }
    }
  }

  /// Several ask whenever they come by, each in a rhythm of its own; the first often stays away.
  @Test
  void asManyBeginInAnyTimeWhenSeveralTakeTurns() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      double perSecond = 20 + random.nextInt(180);
      Gate gate = gate(Integer.MAX_VALUE, perSecond, 0);
      int several = 2 + random.nextInt(3);
      List<Asker> askers = new ArrayList<>();
      double[] next = new double[several];
      int[] begunBy = new int[several];
      for (int i = 0; i < several; i++) {
        askers.add(new Asker(() -> {}));
      }
      List<Double> begun = new ArrayList<>();
      for (double seconds = 0; seconds < 40; seconds += 0.000_5) {
        for (int i = 0; i < several; i++) {
          if (seconds >= next[i]) {
            while (gate.begin(askers.get(i), START + (long) (seconds * 1e9))) {
              begun.add(seconds);
              begunBy[i]++;
            }
            double away = i == 0 && random.nextInt(1_000) == 0 ? 0.3 : 0;
            next[i] = seconds + away + random.nextDouble() * 2 / 1_000;
          }
        }
      }
      String where = "seed %d: %s of %f".formatted(seed, Arrays.toString(begunBy), perSecond);
      assertTrue(begun.size() >= 40 * perSecond * 0.99 - 2, where);
      requireSpread(begun, perSecond, 2 + several, where);
      double share = (double) (begun.size() - begunBy[0]) / (several - 1);
      assertTrue(begunBy[0] >= share * 0.6 && begunBy[0] <= share + 1, where);
      for (int i = 1; i < several; i++) {
        assertTrue(begunBy[i] >= share * 0.95 && begunBy[i] <= share * 1.05, where);
      }
    }
  }

  @Test
  void aGateOpensAgainWhenTheOneThatTriesIsGivenUp() {
    Gate gate = gate(5, 0, 1);
    Asker asker = new Asker(() -> {});
    assertTrue(gate.begin(asker, 0));
    assertTrue(gate.ended(asker, false, 0));
    assertFalse(gate.begin(asker, BREAK_MILLIS * MILLI - 1));
    assertTrue(gate.begin(asker, BREAK_MILLIS * MILLI));
    assertFalse(gate.begin(asker, BREAK_MILLIS * MILLI));
    gate.abandoned(asker, BREAK_MILLIS * MILLI);
    assertTrue(gate.begin(asker, BREAK_MILLIS * MILLI));
    assertFalse(gate.ended(asker, true, BREAK_MILLIS * MILLI));
    assertFalse(gate.isPaused());
    assertTrue(gate.begin(asker, BREAK_MILLIS * MILLI));
    assertTrue(gate.begin(asker, BREAK_MILLIS * MILLI));
  }
}

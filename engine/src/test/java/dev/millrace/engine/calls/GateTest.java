package dev.millrace.engine.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// When a gate lets calls begin, from all that has happened at it.
class GateTest {
  private static final long MILLI = 1_000_000;
  private static final long BREAK_MILLIS = 50;

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
    SUCCEEDED,
    FAILED,
    ABANDONED
  }

  private record Event(What what, long millis) {}

  /// What follows from a history.
  private record History(List<Event> events, int inFlight, int breakAfter) {
    private long count(What what, int from) {
      return events.stream().skip(from).filter(event -> event.what == what).count();
    }

    private int behindLast(What one, What other) {
      int behind = 0;
      for (int i = 0; i < events.size(); i++) {
        What what = events.get(i).what;
        behind = what == one || what == other ? i + 1 : behind;
      }
      return behind;
    }

    long underWay() {
      return 2 * count(What.BEGUN, 0) - events.size();
    }

    boolean pauses() {
      int from = behindLast(What.SUCCEEDED, What.SUCCEEDED);
      return breakAfter > 0 && count(What.FAILED, from) >= breakAfter;
    }

    boolean mayBegin(long millis) {
      if (underWay() >= inFlight) {
        return false;
      }
      if (!pauses()) {
        return true;
      }
      long failed = events.get(behindLast(What.FAILED, What.FAILED) - 1).millis;
      boolean oneTries = count(What.BEGUN, behindLast(What.FAILED, What.ABANDONED)) > 0;
      return !oneTries && millis - failed >= BREAK_MILLIS;
    }
  }

  @Test
  void whatMayBeginFollowsFromWhatHappened() {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      int inFlight = 1 + random.nextInt(4);
      int breakAfter = random.nextInt(4);
      Gate gate = gate(inFlight, 0, breakAfter);
      History history = new History(new ArrayList<>(), inFlight, breakAfter);
      long millis = 0;
      for (int i = 0; i < 200; i++) {
        millis += random.nextInt(30);
        long now = START + millis * MILLI;
        String where = "seed " + seed + ", event " + i + ": " + history;
        if (history.underWay() > 0 && random.nextBoolean()) {
          What what = What.values()[1 + random.nextInt(3)];
          boolean paused = history.pauses();
          history.events.add(new Event(what, millis));
          if (what == What.ABANDONED) {
            gate.abandoned();
          } else {
            boolean opens = gate.ended(what == What.SUCCEEDED, now);
            assertEquals(!paused && history.pauses(), opens, where);
          }
        } else {
          boolean may = history.mayBegin(millis);
          assertEquals(may, gate.begin(now), where);
          if (may) {
            history.events.add(new Event(What.BEGUN, millis));
          }
        }
        assertEquals(history.pauses(), gate.isPaused(), where);
      }
    }
  }

  /// However long nothing was asked before, and at whatever moments it is tried.
  @Test
  void asManyBeginInAnyTimeAsASecondAllowsAndHardlyFewer() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      double perSecond = 1 + random.nextInt(200);
      Gate gate = gate(Integer.MAX_VALUE, perSecond, 0);
      List<Double> begun = new ArrayList<>();
      double seconds = 0;
      double rest = random.nextInt(20);
      while (seconds < 40) {
        seconds += random.nextDouble() * 2 / 1_000;
        boolean asks = seconds < 10 || seconds > 10 + rest;
        if (asks && gate.begin(START + (long) (seconds * 1e9))) {
          begun.add(seconds);
        }
      }
      double asked = seconds - rest;
      assertTrue(
          begun.size() >= asked * perSecond * 0.99 - 2, "seed " + seed + ": " + begun.size());
      for (int i = 0; i < begun.size(); i++) {
        for (int j = i + 1; j < Math.min(begun.size(), i + 20); j++) {
          double least = (j - i - 2) / perSecond;
          double took = begun.get(j) - begun.get(i);
          if (took < least) {
            throw new AssertionError("seed %d: %d in %f s".formatted(seed, j - i + 1, took));
          }
        }
      }
    }
  }

  @Test
  void aGateOpensAgainWhenTheOneThatTriesIsGivenUp() {
    Gate gate = gate(5, 0, 1);
    assertTrue(gate.begin(0));
    assertTrue(gate.ended(false, 0));
    assertFalse(gate.begin(BREAK_MILLIS * MILLI - 1));
    assertTrue(gate.begin(BREAK_MILLIS * MILLI));
    assertFalse(gate.begin(BREAK_MILLIS * MILLI));
    gate.abandoned();
    assertTrue(gate.begin(BREAK_MILLIS * MILLI));
    assertFalse(gate.ended(true, BREAK_MILLIS * MILLI));
    assertFalse(gate.isPaused());
    assertTrue(gate.begin(BREAK_MILLIS * MILLI));
    assertTrue(gate.begin(BREAK_MILLIS * MILLI));
  }
}

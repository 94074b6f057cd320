package dev.millrace.internal.cluster.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.cluster.place.Scaling.Bounds;
import dev.millrace.internal.cluster.place.Scaling.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/// How many processes there should be, for loads of which it is known.
class ScalingTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final int HOUR = 3600;
  private static final int WORKERS = 2;

  /// A change of the number of processes.
  private record Change(int second, int processes) {}

  /// Runs processes under a load, of which they do as much as they can, and what waits later.
  ///
  /// @param load how many workers it would keep busy at a second
  private static List<Change> run(Bounds bounds, int seconds, IntToDoubleFunction load) {
    Scaling scaling = new Scaling(bounds, Rule.defaults());
    List<Change> changes = new ArrayList<>();
    int running = bounds.least();
    double averaged = 0;
    double waiting = 0;
    for (int second = 0; second < seconds; second++) {
      double able = WORKERS * running;
      double wanted = waiting + load.applyAsDouble(second);
      double done = Math.min(able, wanted);
      waiting = wanted - done;
      averaged += (done - averaged) / 60; // as each task's load is
      int next = scaling.next(averaged, WORKERS, running, second * SECOND);
      if (next != running) {
        changes.add(new Change(second, next));
        running = next;
      }
    }
    return changes;
  }

  @Test
  void aSquareWaveHasFewChangesAnEdge() {
    List<Change> changes =
        run(new Bounds(1, 8), 4 * HOUR, second -> second / HOUR % 2 == 0 ? 0.5 : 4.5);
    for (int edge = 1; edge <= 3; edge++) {
      int from = edge * HOUR;
      long count =
          changes.stream()
              .filter(each -> each.second() >= from && each.second() < from + HOUR)
              .count();
      assertTrue(count >= 1 && count <= 3, edge + ": " + changes);
    }
    assertTrue(changes.size() <= 8, changes.toString());
  }

  @Test
  void thereAreEnoughInTheEnd() {
    for (double load = 0.3; load < 15; load += 0.7) {
      double steady = load;
      List<Change> changes = run(new Bounds(1, 8), 4 * HOUR, _ -> steady);
      int last = changes.isEmpty() ? 1 : changes.getLast().processes();
      double share = load / (WORKERS * last);
      assertTrue(share <= 0.96 || last == 8, load + ": " + changes);
      assertTrue(share >= 0.4 || last == 1, load + ": " + changes);
      assertTrue(changes.stream().noneMatch(each -> each.second() > 2 * HOUR), "" + changes);
    }
  }

  /// Between too busy and too calm nothing changes, however unsteady the load is.
  @Test
  void anUnsteadyLoadChangesNothing() {
    for (long seed = 1; seed <= 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Scaling scaling = new Scaling(new Bounds(1, 9), Rule.defaults());
      for (int second = 0; second < 4 * HOUR; second++) {
        double load = WORKERS * 3 * random.nextDouble(0.41, 0.79);
        assertEquals(3, scaling.next(load, WORKERS, 3, second * SECOND));
      }
    }
  }

  @Test
  void aPeakThatIsShorterThanAllowedChangesNothing() {
    Scaling scaling = new Scaling(new Bounds(1, 9), Rule.defaults());
    for (int second = 0; second < 2 * HOUR; second++) {
      double share = second % 120 < 59 ? 0.95 : 0.5;
      assertEquals(4, scaling.next(share * WORKERS * 4, WORKERS, 4, second * SECOND));
    }
  }

  @Test
  void itKeepsToItsBounds() {
    Scaling scaling = new Scaling(new Bounds(2, 4), Rule.defaults());
    assertEquals(2, scaling.next(0, WORKERS, 1, 0));
    assertEquals(4, scaling.next(0, WORKERS, 7, SECOND));
    for (int second = 2; second < 2 * HOUR; second++) {
      assertEquals(4, scaling.next(8, WORKERS, 4, second * SECOND));
    }
    assertThrows(IllegalArgumentException.class, () -> new Bounds(0, 3));
    assertThrows(IllegalArgumentException.class, () -> new Bounds(4, 3));
  }
}

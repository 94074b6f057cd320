package dev.millrace.internal.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// How busy tasks are.
class TaskLoadsTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final int TASK = 3;

  private long now = 1_000;
  private long busy;

  private final TaskLoads loads =
      new TaskLoads(
          new Clock() {
            @Override
            public long nanos() {
              return now;
            }

            @Override
            public long millis() {
              return now / 1_000_000;
            }
          });

  /// Lets time pass, of which the task takes a share; it is looked at four times a second.
  ///
  /// @return the weight at the end
  private double pass(int seconds, double share) {
    double weight = 0;
    for (int i = 0; i < 4 * seconds; i++) {
      now += SECOND / 4;
      busy += (long) (share * SECOND / 4);
      weight = loads.weight(TASK, busy);
    }
    return weight;
  }

  @Test
  void isNotKnownBeforeATaskWasHereForAWhile() {
    assertEquals(0, pass(19, 0.5));
    assertTrue(pass(3, 0.5) > 0);
  }

  @Test
  void growsWithTheShareOfAProcessor() {
    assertEquals(1, pass(60, 0));
    assertEquals(11, pass(600, 0.5), 1);
    assertEquals(21, pass(600, 1), 2);
    assertEquals(1, pass(1200, 0), 0.01);
  }

  @Test
  void hardlyMovesWithAShortPeak() {
    double before = pass(300, 0.1);
    assertEquals(3, before, 0.3);
    assertTrue(pass(2, 1) < 1.4 * before);
  }

  /// A load that is never the same for two seconds has few weights, so tasks are not moved for it.
  @Test
  void isSteadyWhereTheLoadIsUnsteady() {
    SplittableRandom random = new SplittableRandom(5);
    pass(300, 0.3);
    Set<Double> weights = new HashSet<>();
    for (int i = 0; i < 600; i++) {
      weights.add(pass(1, random.nextDouble(0.2, 0.4)));
    }
    assertTrue(weights.size() <= 3, weights.toString());
  }

  @Test
  void beginsAnewWithATaskThatCameBack() {
    pass(300, 1);
    loads.retain(Set.of());
    assertEquals(0, pass(1, 0));
    assertEquals(1, pass(60, 0));
  }
}

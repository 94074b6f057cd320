package dev.millrace.internal.cluster.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What is seen of tasks that are busy.
class PlacementViewTest {
  private static PlacementView view(double... loads) {
    return BusyTasks.view(0, loads);
  }

  @Test
  void aTaskIsHotThatIsMuchBusierThanMost() {
    PlacementView view = view(0.1, 0.1, 0.12, 0.7, -1);
    assertEquals(Set.of(3), view.hot());
    assertEquals(0.7, view.busy(3), 1e-6);
    assertTrue(view.busy(4) < 0);
  }

  @Test
  void noneIsHotWhereAllAreBusyOrNoneIs() {
    PlacementView busy = view(0.9, 0.8, 0.95, 0.5);
    PlacementView calm = view(0.001, 0.001, 0.1);
    assertEquals(Set.of(), busy.hot());
    assertEquals(Set.of(), calm.hot());
    assertEquals(Set.of(), view(0.9).hot());
    assertEquals(Set.of(), view(-1).hot());
  }

  /// Of any loads, at most half of the tasks are hot, and no task is that is less busy than one
  /// that is not.
  @Test
  void hotTasksAreTheBusiest() {
    for (long seed = 1; seed <= 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] loads =
          random.doubles(random.nextInt(1, 40)).map(each -> each * each * each).toArray();
      Set<Integer> hot = view(loads).hot();
      double leastHot = 2;
      double mostOther = -1;
      for (int task = 0; task < loads.length; task++) {
        if (hot.contains(task)) {
          leastHot = Math.min(leastHot, loads[task]);
        } else {
          mostOther = Math.max(mostOther, loads[task]);
        }
      }
      assertTrue(2 * hot.size() <= loads.length, "seed " + seed);
      assertTrue(leastHot >= mostOther, "seed " + seed);
    }
  }

  @Test
  void jsonSaysIt() {
    Map<String, Object> json = view(0.05, 0.05, 0.6, -1).json();
    List<?> tasks = (List<?>) Objects.requireNonNull(json.get("tasks"));
    Map<?, ?> hot = (Map<?, ?>) tasks.get(2);
    assertEquals(60L, hot.get("busyPercent"));
    assertEquals(true, hot.get("hot"));
    assertFalse(((Map<?, ?>) tasks.get(3)).containsKey("busyPercent"));
  }
}

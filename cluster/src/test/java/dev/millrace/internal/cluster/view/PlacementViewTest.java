package dev.millrace.internal.cluster.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.cluster.decide.Term;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.place.Bundles;
import dev.millrace.internal.cluster.place.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// What is seen of tasks that are busy.
class PlacementViewTest {
  private static final String OWNER = "3f1c09a2be47-0";

  /// A process that has a task for each of the loads, which are parts of a worker's time; a
  /// negative one is not known.
  private static PlacementView view(double... loads) {
    List<Report> reports = new ArrayList<>();
    TreeMap<Integer, Seat> seats = new TreeMap<>();
    for (int task = 0; task < loads.length; task++) {
      double weight = loads[task] < 0 ? 0 : Report.weight(loads[task]);
      reports.add(new Report(task, Report.State.OWNER, 7, -1, weight, 0));
      seats.put(task, new Seat(7, OWNER, false, "", 0, List.of(), List.of()));
    }
    Self self =
        new Self(
            OWNER, 1, "a", "host", "", 1, 1, 1, "", new Bundles(List.of()), Self.Running.UNKNOWN);
    Sign sign = new Sign(self, 1, Sign.Phase.HERE, 7, 0, reports);
    return new PlacementView(
        "orders",
        Term.NONE,
        seats,
        new TreeMap<>(Map.of(OWNER, sign)),
        new TreeSet<>(List.of(OWNER)),
        new TreeSet<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>());
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

package dev.millrace.internal.cluster.view;

import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.decide.Term;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.place.Bundles;
import dev.millrace.internal.cluster.place.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// What is seen of a process whose tasks are busy.
public final class BusyTasks {
  static final String OWNER = "3f1c09a2be47-0";

  private BusyTasks() {}

  /// A process that has a task for each of the loads, which are parts of a worker's time; a
  /// negative one is not known.
  ///
  /// @param parts how many of the last ones are split off from the first
  public static PlacementView view(int parts, double... loads) {
    List<Report> reports = new ArrayList<>();
    TreeMap<Integer, Seat> seats = new TreeMap<>();
    TreeMap<Integer, Part> off = new TreeMap<>();
    for (int task = 0; task < loads.length; task++) {
      double weight = loads[task] < 0 ? 0 : Report.weight(loads[task]);
      reports.add(new Report(task, Report.State.OWNER, 7, -1, weight, 0));
      seats.put(task, new Seat(7, OWNER, false, "", 0, List.of(), List.of()));
      if (task >= loads.length - parts) {
        off.put(task, new Part(0, true));
      }
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
        off,
        new TreeMap<>());
  }
}

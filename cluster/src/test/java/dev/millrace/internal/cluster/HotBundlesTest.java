package dev.millrace.internal.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.decide.Term;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Self;
import dev.millrace.internal.cluster.live.Sign;
import dev.millrace.internal.cluster.place.Bundles;
import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.internal.cluster.view.PlacementView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Which bundles are split because they stay hot: seconds, loads and numbers.
class HotBundlesTest {
  private static final String OWNER = "a-0";

  private final HotBundles bundles = new HotBundles(policy(2));

  private static Policy policy(int splits) {
    return Policy.defaults().withBalanceAfter(Duration.ofSeconds(60)).withHotSplits(splits);
  }

  /// @param parts those of the last ones that are split off from the first
  /// @param loads by the number of the bundle, which part of a worker's time it takes
  private static PlacementView view(int parts, double... loads) {
    List<Report> reports = new ArrayList<>();
    TreeMap<Integer, Seat> seats = new TreeMap<>();
    TreeMap<Integer, Part> off = new TreeMap<>();
    for (int bundle = 0; bundle < loads.length; bundle++) {
      reports.add(new Report(bundle, Report.State.OWNER, 7, -1, Report.weight(loads[bundle]), 0));
      seats.put(bundle, new Seat(7, OWNER, false, "", 0, List.of(), List.of()));
      if (bundle >= loads.length - parts) {
        off.put(bundle, new Part(0, true));
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

  private int at(long second, PlacementView view) {
    return bundles.next(view, bundle -> true, Duration.ofSeconds(second).toNanos());
  }

  @Test
  void theHottestIsSplitThatStaysHot() {
    PlacementView view = view(0, 0.8, 0.1, 0.9, 0.1, 0.1);
    assertEquals(HotBundles.NONE, at(0, view));
    assertEquals(HotBundles.NONE, at(59, view));
    assertEquals(2, at(60, view));
  }

  @Test
  void whatIsCoolMeanwhileBeginsAnew() {
    PlacementView hot = view(0, 0.8, 0.1, 0.1);
    assertEquals(HotBundles.NONE, at(0, hot));
    assertEquals(HotBundles.NONE, at(30, view(0, 0.2, 0.1, 0.1)));
    assertEquals(HotBundles.NONE, at(60, hot));
    assertEquals(0, at(120, hot));
  }

  @Test
  void whatHasRoomToGrowIsNotSplit() {
    PlacementView view = view(0, 0.45, 0.1, 0.1);
    at(0, view);
    assertEquals(HotBundles.NONE, at(600, view));
  }

  @Test
  void whereAllAreBusyNoneIsSplit() {
    PlacementView view = view(0, 0.9, 0.8, 0.9);
    at(0, view);
    assertEquals(HotBundles.NONE, at(600, view));
  }

  @Test
  void whatCannotBeSplitIsNot() {
    PlacementView view = view(0, 0.8, 0.1, 0.7, 0.1, 0.1);
    at(0, view);
    assertEquals(2, bundles.next(view, bundle -> bundle != 0, Duration.ofSeconds(60).toNanos()));
  }

  @Test
  void afterASplitTheNextOneWaits() {
    at(0, view(0, 0.9, 0.1, 0.1, 0.1));
    assertEquals(0, at(60, view(0, 0.9, 0.1, 0.1, 0.1)));
    PlacementView after = view(1, 0.6, 0.1, 0.1, 0.1, 0.6);
    assertEquals(HotBundles.NONE, at(61, after));
    assertEquals(HotBundles.NONE, at(179, after));
    assertEquals(0, at(180, after));
  }

  @Test
  void noMoreAreSplitOffThanMayBe() {
    PlacementView view = view(2, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1);
    at(0, view);
    assertEquals(HotBundles.NONE, at(600, view));
  }

  @Test
  void whatASplitDidNotRelieveIsNotSplitAgain() {
    at(0, view(0, 0.9, 0.1, 0.1, 0.1));
    assertEquals(0, at(60, view(0, 0.9, 0.1, 0.1, 0.1)));
    assertEquals(HotBundles.NONE, at(600, view(1, 0.9, 0.1, 0.1, 0.1, 0.05)));
    assertEquals(HotBundles.NONE, at(900, view(1, 0.6, 0.1, 0.1, 0.1, 0.05)));
  }

  @Test
  void itIsLookedAtOnceASecondAndOnlyIfThatIsWanted() {
    assertTrue(bundles.isDue(0));
    at(0, view(0, 0.1));
    assertFalse(bundles.isDue(999_999_999));
    assertTrue(bundles.isDue(1_000_000_000));
    assertFalse(new HotBundles(policy(0)).isDue(0));
  }
}

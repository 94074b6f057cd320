package dev.millrace.internal.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.cluster.view.BusyTasks;
import dev.millrace.internal.cluster.view.PlacementView;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Which bundles are split because they stay hot: seconds, loads and numbers.
class HotBundlesTest {
  private final HotBundles bundles = new HotBundles(policy(2));

  private static Policy policy(int splits) {
    return Policy.defaults().withBalanceAfter(Duration.ofSeconds(60)).withHotSplits(splits);
  }

  private int at(long second, PlacementView view) {
    return bundles.next(view, bundle -> true, Duration.ofSeconds(second).toNanos());
  }

  @Test
  void theHottestIsSplitThatStaysHot() {
    PlacementView view = BusyTasks.view(0, 0.8, 0.1, 0.9, 0.1, 0.1);
    assertEquals(HotBundles.NONE, at(0, view));
    assertEquals(HotBundles.NONE, at(59, view));
    assertEquals(2, at(60, view));
  }

  @Test
  void whatIsCoolMeanwhileBeginsAnew() {
    PlacementView hot = BusyTasks.view(0, 0.8, 0.1, 0.1);
    assertEquals(HotBundles.NONE, at(0, hot));
    assertEquals(HotBundles.NONE, at(30, BusyTasks.view(0, 0.2, 0.1, 0.1)));
    assertEquals(HotBundles.NONE, at(60, hot));
    assertEquals(0, at(120, hot));
  }

  @Test
  void whatHasRoomToGrowIsNotSplit() {
    PlacementView view = BusyTasks.view(0, 0.45, 0.1, 0.1);
    at(0, view);
    assertEquals(HotBundles.NONE, at(600, view));
  }

  @Test
  void whereAllAreBusyNoneIsSplit() {
    PlacementView view = BusyTasks.view(0, 0.9, 0.8, 0.9);
    at(0, view);
    assertEquals(HotBundles.NONE, at(600, view));
  }

  @Test
  void whatCannotBeSplitIsNot() {
    PlacementView view = BusyTasks.view(0, 0.8, 0.1, 0.7, 0.1, 0.1);
    at(0, view);
    assertEquals(2, bundles.next(view, bundle -> bundle != 0, Duration.ofSeconds(60).toNanos()));
  }

  @Test
  void afterASplitTheNextOneWaits() {
    at(0, BusyTasks.view(0, 0.9, 0.1, 0.1, 0.1));
    assertEquals(0, at(60, BusyTasks.view(0, 0.9, 0.1, 0.1, 0.1)));
    PlacementView after = BusyTasks.view(1, 0.6, 0.1, 0.1, 0.1, 0.6);
    assertEquals(HotBundles.NONE, at(61, after));
    assertEquals(HotBundles.NONE, at(179, after));
    assertEquals(0, at(180, after));
  }

  @Test
  void noMoreAreSplitOffThanMayBe() {
    PlacementView view = BusyTasks.view(2, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1);
    at(0, view);
    assertEquals(HotBundles.NONE, at(600, view));
  }

  @Test
  void whatASplitDidNotRelieveIsNotSplitAgain() {
    at(0, BusyTasks.view(0, 0.9, 0.1, 0.1, 0.1));
    assertEquals(0, at(60, BusyTasks.view(0, 0.9, 0.1, 0.1, 0.1)));
    assertEquals(HotBundles.NONE, at(600, BusyTasks.view(1, 0.9, 0.1, 0.1, 0.1, 0.05)));
    assertEquals(HotBundles.NONE, at(900, BusyTasks.view(1, 0.6, 0.1, 0.1, 0.1, 0.05)));
  }

  @Test
  void itIsLookedAtOnceASecondAndOnlyIfThatIsWanted() {
    assertTrue(bundles.isDue(0));
    at(0, BusyTasks.view(0, 0.1));
    assertFalse(bundles.isDue(999_999_999));
    assertTrue(bundles.isDue(1_000_000_000));
    assertFalse(new HotBundles(policy(0)).isDue(0));
  }
}

package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.place.Policy;
import dev.millrace.internal.cluster.view.PlacementView;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds bundles that should be split because they stay hot. Used by one thread.
///
/// One is split that has been hot for as long as the load must be uneven before bundles are moved,
/// and takes half of a worker's time: one that takes less has room to grow. Then nothing is split
/// for twice that long, until the averages are those after the split. One that is still as busy as
/// before has one key that most of its records have, and is not split again.
final class HotBundles {
  private static final Logger LOG = LoggerFactory.getLogger(HotBundles.class);

  /// From which part of a worker's time on it helps to split a bundle.
  private static final double LEAST = 0.5;

  /// Up to which part of the time before a bundle is relieved by a split.
  private static final double RELIEVED = 0.75;

  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

  /// None is to be split.
  static final int NONE = -1;

  private final Policy policy;

  /// By bundle, when it was found to be hot.
  private final Map<Integer, Long> since = new HashMap<>();

  /// By bundle, how busy it was when it was split.
  private final Map<Integer, Double> before = new HashMap<>();

  private final Set<Integer> hopeless = new HashSet<>();
  private long lookedNanos;
  private boolean looked;
  private long splitNanos;
  private boolean split;

  HotBundles(Policy policy) {
    this.policy = policy;
  }

  /// Returns whether it is time for another [#next].
  boolean isDue(long nowNanos) {
    return policy.hotSplits() > 0 && (!looked || nowNanos - lookedNanos >= LOOK_NANOS);
  }

  /// Returns the bundle that should be split now, or [#NONE].
  ///
  /// @param canBeSplit tells that of a bundle by its number
  int next(PlacementView view, IntPredicate canBeSplit, long nowNanos) {
    looked = true;
    lookedNanos = nowNanos;
    SortedSet<Integer> hot = view.hot();
    hot.removeIf(bundle -> view.busy(bundle) < LEAST);
    since.keySet().retainAll(hot);
    hot.forEach(bundle -> since.putIfAbsent(bundle, nowNanos));
    long patience = policy.balanceAfter().toNanos();
    if (view.parts().size() >= policy.hotSplits()
        || (split && nowNanos - splitNanos < 2 * patience)) {
      return NONE;
    }
    hot.removeIf(bundle ->
        nowNanos - since.getOrDefault(bundle, nowNanos) < patience
            || view.isToBeSplit(bundle)
            || isHopeless(view, bundle)
            || !canBeSplit.test(bundle));
    int hottest = hot.stream().max(Comparator.comparingDouble(view::busy)).orElse(NONE);
    if (hottest != NONE) {
      split = true;
      splitNanos = nowNanos;
      before.put(hottest, view.busy(hottest));
      LOG.info(
          "Task {} is split: it takes {} % of a worker's time, over three times as much as the task"
              + " in the middle.",
          hottest, Math.round(100 * view.busy(hottest)));
    }
    return hottest;
  }

  private boolean isHopeless(PlacementView view, int bundle) {
    Double was = before.get(bundle);
    if (was != null && view.busy(bundle) > RELIEVED * was && hopeless.add(bundle)) {
      LOG.warn(
          "Task {} is as busy as before it was split: one key has most of its records. It is not"
              + " split again.",
          bundle);
    }
    return hopeless.contains(bundle);
  }
}

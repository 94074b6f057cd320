package dev.millrace.internal.engine.plan;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;

/// The other plans whose state a plan goes on from, by their fingerprints: the earlier ones; and
/// later ones that are rolled out while a process runs, which may have to take over what they have
/// committed. Thread-safe.
public final class FollowedPlans {
  /// None.
  public static final FollowedPlans NONE = new FollowedPlans(new TreeSet<>(), _ -> false);

  private final Set<Long> earlier;
  private final LongPredicate later;
  private final Set<Long> known = ConcurrentHashMap.newKeySet();

  private FollowedPlans(Set<Long> earlier, LongPredicate later) {
    this.earlier = Collections.unmodifiableSet(new TreeSet<>(earlier));
    this.later = later;
  }

  /// Returns the same with other earlier plans.
  FollowedPlans after(Set<Long> versions) {
    return new FollowedPlans(versions, later);
  }

  /// Returns the same, which asks about plans that it does not know.
  ///
  /// @param recorded whether the plan of a version is being rolled out in place of this one, so
  ///   that it writes what this one can read; it may wait for the log
  FollowedPlans before(LongPredicate recorded) {
    return new FollowedPlans(earlier, recorded);
  }

  /// Returns whether the state of a plan is gone on from. Asks if that is not known, and may wait
  /// for the log then.
  ///
  /// @throws dev.millrace.spi.LogException if the log cannot tell
  boolean has(long version) {
    if (earlier.contains(version) || known.contains(version)) {
      return true;
    }
    boolean found = later.test(version);
    if (found) {
      known.add(version);
    }
    return found;
  }
}

package dev.millrace.internal.cluster.decide;

import dev.millrace.internal.cluster.place.Bundles;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What one member is to do.
///
/// @param version of the decision that said so last
/// @param owned by the number of the bundle
/// @param followed numbers of bundles
public record Orders(long version, SortedMap<Integer, Own> owned, SortedSet<Integer> followed) {
  /// The orders of a member that has nothing to do.
  public static final Orders NONE = new Orders(0, new TreeMap<>(), new TreeSet<>());

  /// That a member owns a bundle, and perhaps has to give it up.
  ///
  /// @param version see [dev.millrace.internal.cluster.place.Seat]
  /// @param force whether it takes the bundle although the owner before has not let go of it
  /// @param heir who is to own it next; empty if nobody is
  /// @param heirVersion the version of the heir if it is to give the bundle up now; 0 otherwise
  public record Own(long version, boolean force, String heir, long heirVersion) {
    /// Returns whether it is to give the bundle up now.
    public boolean giving() {
      return heirVersion != 0;
    }
  }

  public Orders {
    owned = Collections.unmodifiableSortedMap(new TreeMap<>(owned));
    followed = Collections.unmodifiableSortedSet(new TreeSet<>(followed));
  }

  /// Returns those about some bundles only.
  public Orders within(Bundles bundles) {
    if (owned.keySet().stream().allMatch(bundles::contains)
        && followed.stream().allMatch(bundles::contains)) {
      return this;
    }
    SortedMap<Integer, Own> ownedWithin = new TreeMap<>(owned);
    ownedWithin.keySet().removeIf(bundle -> !bundles.contains(bundle));
    SortedSet<Integer> followedWithin = new TreeSet<>(followed);
    followedWithin.removeIf(bundle -> !bundles.contains(bundle));
    return new Orders(version, ownedWithin, followedWithin);
  }

  /// Returns these and bundles that the member is to own as soon as their owners have let go of
  /// them.
  public Orders withComing(SortedMap<Integer, Long> versions) {
    if (versions.isEmpty()) {
      return this;
    }
    SortedMap<Integer, Own> all = new TreeMap<>(owned);
    versions.forEach((bundle, coming) -> all.put(bundle, new Own(coming, false, "", 0)));
    SortedSet<Integer> others = new TreeSet<>(followed);
    others.removeAll(versions.keySet());
    return new Orders(version, all, others);
  }

  boolean isEmpty() {
    return owned.isEmpty() && followed.isEmpty();
  }
}

package dev.millrace.internal.engine.lease;

import dev.millrace.internal.engine.settings.Placement;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which containers of an application nobody runs, as the holder of one of them sees it.
///
/// It counts signs of life and reads no clock: a container is missing once so many signs of this
/// holder are in the log behind the last one of that container. So nobody is taken for missing
/// because the log was away or this process stood still. Used by one thread, but for [#missing].
final class Presence {
  private static final long PATIENCE = ContainerLease.PATIENCE.dividedBy(ContainerLease.BEAT);

  private final Placement placement;
  private final Holder self;

  /// By container, this holder's number when it was last heard of.
  private final Map<Integer, Long> heard = new TreeMap<>();

  private long number;
  private volatile SortedSet<Integer> missing = Collections.emptySortedSet();

  Presence(Placement placement, Holder self) {
    this.placement = placement;
    this.self = self;
  }

  /// Thread-safe.
  SortedSet<Integer> missing() {
    return missing;
  }

  /// Takes in the next sign of life in the log.
  void notice(SignOfLife sign) {
    if (sign.container() == placement.container()) {
      if (sign.holder().equals(self)) {
        number = sign.number();
        look();
      }
    } else if (!sign.released() && sign.placement().equals(placement.text())) {
      heard.put(sign.container(), number);
      if (missing.contains(sign.container())) {
        look();
      }
    }
  }

  private void look() {
    SortedSet<Integer> found = new TreeSet<>();
    for (int each = 0; each < placement.containers(); each++) {
      if (each != placement.container() && number - heard.getOrDefault(each, 0L) > PATIENCE) {
        found.add(each);
      }
    }
    if (!found.equals(missing)) {
      missing = Collections.unmodifiableSortedSet(found);
    }
  }
}

package dev.millrace.internal.engine.lease;

import dev.millrace.internal.engine.settings.Placement;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which containers of an application nobody runs, and which run another version of the program, as
/// the holder of one of them sees it.
///
/// It counts signs of life and reads no clock: a container is missing once so many signs of this
/// holder are in the log behind the last one of that container. So nobody is taken for missing
/// because the log was away or this process stood still. Used by one thread, but for [#missing] and
/// [#otherVersions].
final class Presence {
  private static final long PATIENCE = ContainerLease.PATIENCE.dividedBy(ContainerLease.BEAT);

  private final Placement placement;
  private final Holder self;
  private final ProgramVersion program;

  /// By container, this holder's number when it was last heard of.
  private final Map<Integer, Long> heard = new TreeMap<>();

  private long number;
  private volatile SortedSet<Integer> missing = Collections.emptySortedSet();
  private volatile SortedMap<Integer, SignOfLife> otherVersions = Collections.emptySortedMap();

  Presence(Placement placement, Holder self, ProgramVersion program) {
    this.placement = placement;
    this.self = self;
    this.program = program;
  }

  /// Thread-safe.
  SortedSet<Integer> missing() {
    return missing;
  }

  /// The last sign of life of each other container that is not missing and whose process has
  /// another plan. Thread-safe.
  SortedMap<Integer, SignOfLife> otherVersions() {
    return otherVersions;
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
      if (number > 0) { // what was written before may be of a process that is gone
        noticeVersion(sign);
      }
    }
  }

  private void noticeVersion(SignOfLife sign) {
    SignOfLife known = otherVersions.get(sign.container());
    boolean differs = !sign.plan().equals(program.plan());
    if (known == null ? !differs : known.plan().equals(sign.plan())) {
      return;
    }
    SortedMap<Integer, SignOfLife> found = new TreeMap<>(otherVersions);
    if (differs) {
      found.put(sign.container(), sign);
    } else {
      found.remove(sign.container());
    }
    otherVersions = Collections.unmodifiableSortedMap(found);
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
    if (!Collections.disjoint(otherVersions.keySet(), found)) {
      SortedMap<Integer, SignOfLife> running = new TreeMap<>(otherVersions);
      running.keySet().removeAll(found);
      otherVersions = Collections.unmodifiableSortedMap(running);
    }
  }
}

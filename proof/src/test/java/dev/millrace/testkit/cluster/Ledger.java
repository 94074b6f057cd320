package dev.millrace.testkit.cluster;

import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.decide.SplitRequest;
import dev.millrace.internal.cluster.place.Seat;
import dev.millrace.testkit.log.ModelLog;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;

/// Knows who may write for which bundle in truth, and what was decided in truth; notes whatever is
/// done against the rules.
///
/// As in the engine, whoever takes a bundle by force bars those who took it under lower versions,
/// and whoever comes with a lower version finds a higher claim and withdraws.
final class Ledger {
  private final ModelLog log;
  private final Decisions decisions;
  private final IntToLongFunction bytes;

  /// By bundle and home, the version under which it was taken and not let go of.
  private final Map<Integer, SortedMap<String, Long>> holders = new TreeMap<>();

  private final Map<String, SortedSet<Integer>> stored = new TreeMap<>();

  /// When it was decided that a bundle is to be given up or belongs to another, by bundle, home and
  /// version.
  private final Map<String, Long> revoked = new TreeMap<>();

  /// The bundles that were split off from others, as it was decided last, and those that have
  /// begun.
  private final SortedMap<Integer, Part> parts = new TreeMap<>();

  private final SortedSet<Integer> born = new TreeSet<>();

  private final SortedSet<String> takes = new TreeSet<>();
  private SortedMap<Integer, Seat> seats = new TreeMap<>();
  private long version;
  int changesOfOwner;

  /// How often a bundle was taken from somebody who had not let go of it.
  int forced;

  /// Whether the log takes no more partitions.
  boolean isFull;

  String violation = "";

  Ledger(ModelLog log, IntToLongFunction bytes) {
    this.log = log;
    this.bytes = bytes;
    decisions = new Decisions("app", log);
  }

  long nowNanos() {
    return log.clock().nanos();
  }

  long bytes(int bundle) {
    return bytes.applyAsLong(bundle);
  }

  SortedSet<Integer> stored(String home) {
    return stored.getOrDefault(home, new TreeSet<>());
  }

  void store(String home, int bundle) {
    stored.computeIfAbsent(home, key -> new TreeSet<>()).add(bundle);
  }

  /// Reads what was decided since.
  void read() {
    decisions.read();
    decisions
        .parts()
        .forEach((number, part) -> {
          Part before = parts.put(number, part);
          boolean goesBack = before != null && before.ready() && !part.ready();
          if (goesBack || (before != null && before.parent() != part.parent())) {
            note("part " + number + " was " + before + " and is " + part);
          }
        });
    if (decisions.term().version() == version) {
      return;
    }
    if (decisions.term().version() < version) {
      note("version " + decisions.term().version() + " after " + version);
    }
    version = decisions.term().version();
    SortedMap<Integer, Seat> now = new TreeMap<>(decisions.seats());
    seats.forEach((bundle, before) -> {
      Seat seat = now.get(bundle);
      if (before.giving()
          && (seat == null
              || (!seat.owner().equals(before.heir()) && !seat.heir().equals(before.heir()))
              || (seat.version() != before.heirVersion()
                  && seat.heirVersion() != before.heirVersion()))) {
        revoked.putIfAbsent(bundle + " " + before.heir() + " " + before.heirVersion(), nowNanos());
      }
      if (seat == null
          || !seat.owner().equals(before.owner())
          || seat.version() != before.version()
          || seat.giving()) {
        revoked.putIfAbsent(bundle + " " + before.owner() + " " + before.version(), nowNanos());
      }
      if (seat != null && !seat.owner().equals(before.owner())) {
        changesOfOwner++;
        boolean told = seat.owner().equals(before.heir()) && seat.version() == before.heirVersion();
        if (seat.version() != version && !told) {
          note("bundle " + bundle + " changed its owner under version " + seat.version());
        }
      } else if (seat != null && seat.version() != before.version() && !before.giving()) {
        note("bundle " + bundle + " got another version and kept its owner");
      }
    });
    now.forEach((bundle, seat) -> {
      if (seat.giving()) { // perhaps at once, to somebody who has had it as an heir
        revoked.putIfAbsent(bundle + " " + seat.owner() + " " + seat.version(), nowNanos());
      }
    });
    seats = now;
  }

  /// Returns the bundles that were split off from others, or are to be.
  SortedMap<Integer, Part> parts() {
    return parts;
  }

  /// Returns the bundles of which it was not decided whether they are split.
  List<Integer> undecidedSplits() {
    return decisions.splits().entrySet().stream()
        .filter(each -> each.getValue().isOpen())
        .map(Map.Entry::getKey)
        .toList();
  }

  /// Returns why a bundle is not split that somebody wants to be; empty if that was not said.
  String refusal(int bundle) {
    SplitRequest request = decisions.splits().get(bundle);
    return request == null ? "" : request.refusal();
  }

  /// The owner of a bundle has split another one off.
  void bear(int part) {
    read();
    if (!decisions.parts().getOrDefault(part, new Part(-1, false)).ready()) {
      note("part " + part + " begins, and that was not decided");
    }
    born.add(part);
  }

  /// Whether a bundle is one of the program, or was split off.
  boolean exists(int bundle) {
    return !parts.containsKey(bundle) || born.contains(bundle);
  }

  SortedMap<Integer, Seat> seats() {
    return seats;
  }

  long version() {
    return version;
  }

  void note(String what) {
    if (violation.isEmpty()) {
      violation = "at " + nowNanos() / 1_000_000 + " ms: " + what;
    }
  }

  /// Claims a bundle. Those who have claimed it before are barred by force, or have to be waited
  /// for; see [#isFree].
  ///
  /// @return whether nobody claims it by a later decision
  boolean take(int bundle, String home, long taken, boolean force) {
    SortedMap<String, Long> holding = holders.computeIfAbsent(bundle, key -> new TreeMap<>());
    if (isDisplaced(bundle, home, taken)) {
      return false;
    }
    if (force) {
      forced += holding.keySet().stream().anyMatch(other -> !other.equals(home)) ? 1 : 0;
      holding.clear();
    }
    holding.put(home, taken);
    return true;
  }

  /// Whether somebody else claims a bundle by a later decision.
  boolean isDisplaced(int bundle, String home, long taken) {
    return holders.getOrDefault(bundle, new TreeMap<>()).entrySet().stream()
        .anyMatch(other -> !other.getKey().equals(home) && other.getValue() > taken);
  }

  /// Whether everybody else has let go of a bundle.
  boolean isFree(int bundle, String home) {
    return holders.getOrDefault(bundle, new TreeMap<>()).keySet().stream().allMatch(home::equals);
  }

  /// Notes that a process of a home takes a bundle under a version, which it does once, and not if
  /// it was decided otherwise before the process started.
  void takes(String home, String process, int bundle, long taken, long startedNanos) {
    if (revoked.getOrDefault(bundle + " " + home + " " + taken, Long.MAX_VALUE) < startedNanos) {
      note(process + " takes bundle " + bundle + " before it has read all decisions");
    }
    if (!takes.add(process + " " + bundle + " " + taken)) {
      note(process + " takes bundle " + bundle + " twice under version " + taken);
    }
  }

  void give(int bundle, String home, long given, boolean ending) {
    read();
    if (!ending && !revoked.containsKey(bundle + " " + home + " " + given)) {
      note(
          "%s gives up bundle %d of version %d, and no decision names it: %s"
              .formatted(home, bundle, given, seats.get(bundle)));
    }
  }

  boolean holds(int bundle, String home, long taken) {
    return holders.getOrDefault(bundle, new TreeMap<>()).getOrDefault(home, -1L) >= taken;
  }

  void release(int bundle, String home, long given) {
    SortedMap<String, Long> holding = holders.getOrDefault(bundle, new TreeMap<>());
    if (holding.getOrDefault(home, -1L) == given) {
      holding.remove(home);
    }
  }
}

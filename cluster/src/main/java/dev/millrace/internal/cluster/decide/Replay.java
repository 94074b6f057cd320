package dev.millrace.internal.cluster.decide;

import dev.millrace.internal.cluster.decide.Orders.Own;
import dev.millrace.internal.cluster.place.Home;
import dev.millrace.internal.cluster.place.Seat;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The placement that follows from the decisions that were read. Used by one thread.
///
/// What a reader finds in a compacted topic before its end may be a mixture of old and new; it is
/// consistent from the end on that the topic had when the reader began.
final class Replay {
  private final SortedMap<String, Orders> orders = new TreeMap<>();
  private final SortedMap<Integer, Seat> seats = new TreeMap<>();
  private final SortedMap<String, Orders> shownOrders = Collections.unmodifiableSortedMap(orders);
  private final SortedMap<Integer, Seat> shownSeats = Collections.unmodifiableSortedMap(seats);

  /// The bundles whose owners are to give them up.
  private final SortedSet<Integer> giving = new TreeSet<>();

  private final SortedMap<Integer, List<Home>> homes = new TreeMap<>();
  private final SortedSet<String> drained = new TreeSet<>();
  private final SortedSet<String> shownDrained = Collections.unmodifiableSortedSet(drained);
  private final SortedMap<Integer, MoveRequest> moves = new TreeMap<>();
  private final SortedMap<Integer, MoveRequest> shownMoves =
      Collections.unmodifiableSortedMap(moves);
  private final SortedMap<Integer, Part> parts = new TreeMap<>();
  private final SortedMap<Integer, Part> shownParts = Collections.unmodifiableSortedMap(parts);
  private final SortedMap<Integer, SplitRequest> splits = new TreeMap<>();
  private final SortedMap<Integer, SplitRequest> shownSplits =
      Collections.unmodifiableSortedMap(splits);
  private final SortedMap<String, RestartRequest> restarts = new TreeMap<>();
  private Term term = Term.NONE;
  private long changes;

  /// By home and by bundle, what was read of a decision whose last record was not; null for what is
  /// no more.
  private final Map<String, @Nullable Orders> openOrders = new LinkedHashMap<>();

  private final Map<Integer, @Nullable List<Home>> openHomes = new LinkedHashMap<>();

  Term term() {
    return term;
  }

  /// Returns a number that changes with everything but beats.
  long changes() {
    return changes;
  }

  SortedMap<String, Orders> orders() {
    return shownOrders;
  }

  SortedMap<Integer, Seat> seats() {
    return shownSeats;
  }

  /// Returns the bundles that a member is to own as soon as their owners have let go of them, with
  /// the versions under which it will.
  SortedMap<Integer, Long> coming(String home) {
    SortedMap<Integer, Long> coming = new TreeMap<>();
    for (int bundle : giving) {
      Seat seat = seat(bundle);
      if (seat.heir().equals(home) && seat.heirVersion() > seat.version()) {
        coming.put(bundle, seat.heirVersion());
      }
    }
    return coming;
  }

  SortedSet<String> drained() {
    return shownDrained;
  }

  SortedMap<Integer, MoveRequest> moves() {
    return shownMoves;
  }

  /// Somebody asks for a bundle to be moved, or no more; that counts at once.
  void move(int bundle, @Nullable MoveRequest request) {
    changes++;
    if (request == null) {
      moves.remove(bundle);
    } else {
      moves.put(bundle, request);
    }
  }

  SortedMap<Integer, Part> parts() {
    return shownParts;
  }

  /// A bundle is to be split, or is about to be; that counts at once, and until all state is
  /// removed.
  void part(int bundle, @Nullable Part part) {
    changes++;
    if (part == null) {
      parts.remove(bundle);
    } else {
      parts.put(bundle, part);
    }
  }

  SortedMap<Integer, SplitRequest> splits() {
    return shownSplits;
  }

  /// Somebody asks for a bundle to be split, or is answered; that counts at once.
  void split(int bundle, @Nullable SplitRequest request) {
    changes++;
    if (request == null) {
      splits.remove(bundle);
    } else {
      splits.put(bundle, request);
    }
  }

  @Nullable RestartRequest restart(String home) {
    return restarts.get(home);
  }

  /// Somebody asks a process of a home to restart, or no more; that counts at once.
  void restart(String home, @Nullable RestartRequest request) {
    if (request == null) {
      restarts.remove(home);
    } else {
      restarts.put(home, request);
    }
  }

  /// Somebody asks for a member or a host to be drained, or no more; that counts at once.
  void drain(String name, boolean yes) {
    changes++;
    if (yes) {
      drained.add(name);
    } else {
      drained.remove(name);
    }
  }

  void add(String home, @Nullable Orders next) {
    openOrders.put(home, next);
  }

  void add(int bundle, @Nullable List<Home> homes) {
    openHomes.put(bundle, homes);
  }

  /// Ends a decision: all that was added counts from now on.
  void end(Term next) {
    openOrders.keySet().forEach(home -> remove(home, orders.getOrDefault(home, Orders.NONE)));
    openOrders.forEach((home, now) -> {
      if (now == null) {
        orders.remove(home);
      } else {
        orders.put(home, now);
        insert(home, now);
      }
    });
    openHomes.forEach((bundle, now) -> {
      if (now == null) {
        homes.remove(bundle);
      } else {
        homes.put(bundle, now);
      }
      put(bundle, owned(seat(bundle), seat(bundle).owner(), own(seat(bundle))));
    });
    openOrders.clear();
    openHomes.clear();
    changes += next.saysTheSame(term) ? 0 : 1;
    term = next;
  }

  private Seat seat(int bundle) {
    return seats.getOrDefault(bundle, Seat.EMPTY);
  }

  private static Own own(Seat seat) {
    return new Own(seat.version(), seat.force(), seat.heir(), seat.heirVersion());
  }

  /// A bundle that is not placed any more has no record; a member may be read to let go of it
  /// later, if the record that said so first was compacted away.
  private void put(int bundle, Seat seat) {
    if (seat.giving()) {
      giving.add(bundle);
    } else {
      giving.remove(bundle);
    }
    List<Home> known = homes.get(bundle);
    if (known == null && seat.owner().isEmpty() && seat.followers().isEmpty()) {
      seats.remove(bundle);
    } else {
      seats.put(
          bundle,
          new Seat(
              seat.version(),
              seat.owner(),
              seat.force(),
              seat.heir(),
              seat.heirVersion(),
              seat.followers(),
              known == null ? List.of() : known));
    }
  }

  private static Seat owned(Seat seat, String owner, Own own) {
    return new Seat(
        own.version(),
        owner,
        own.force(),
        own.heir(),
        own.heirVersion(),
        seat.followers(),
        seat.homes());
  }

  private static Seat followed(Seat seat, SortedSet<String> followers) {
    return new Seat(
        seat.version(),
        seat.owner(),
        seat.force(),
        seat.heir(),
        seat.heirVersion(),
        List.copyOf(followers),
        seat.homes());
  }

  private void remove(String home, Orders former) {
    for (int bundle : former.owned().keySet()) {
      Seat seat = seat(bundle);
      if (seat.owner().equals(home)) {
        put(bundle, owned(seat, "", new Own(0, false, "", 0)));
      }
    }
    for (int bundle : former.followed()) {
      SortedSet<String> followers = new TreeSet<>(seat(bundle).followers());
      followers.remove(home);
      put(bundle, followed(seat(bundle), followers));
    }
  }

  private void insert(String home, Orders now) {
    now.owned().forEach((bundle, own) -> put(bundle, owned(seat(bundle), home, own)));
    for (int bundle : now.followed()) {
      SortedSet<String> followers = new TreeSet<>(seat(bundle).followers());
      followers.add(home);
      put(bundle, followed(seat(bundle), followers));
    }
  }
}

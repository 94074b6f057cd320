package dev.millrace.testkit.sim;

import dev.millrace.testkit.Seed;
import java.util.ArrayList;
import java.util.List;

/// The kinds of operators that are drawn.
///
/// Each draws from a stream of its own whether a topology may have it, and in each try its lots, of
/// which the lowest of all kinds wins. So one that is added here changes only the topologies that
/// may have it.
enum Kind {
  FILTER(1),
  MAP_VALUES(1),
  MAP(1),
  FLAT_MAP(1),
  MERGE(1),
  SUM(2),
  WINDOWED(2),
  TOP(1),
  TABLE(3),
  JOIN(1),
  JOIN_TABLES(1),
  JOIN_FOREIGN(3),
  TOGETHER(1),
  BUCKETED(1),
  BRANCH(3, 0.3),
  SAMPLE(3, 0.25),
  DEDUPLICATE(4, 0.4),
  GROUP(2, 0.3),
  ASK(5, 0.4),
  DELAYED(3, 0.25),
  COUNTED(3, 0.25),
  /// In a scenario of its own.
  JOIN_AS_OF(4, 0),
  /// In another one, with [#ACROSS].
  TOPIC_TABLE(6, 0),
  /// A join of what may have come through other exchanges, or of a table with itself.
  ACROSS(12, 0);

  private static final int LOTS = 1_000_000_000;

  private final int lots;
  private final double share;

  Kind(int lots) {
    this(lots, 1);
  }

  /// @param lots in each try
  /// @param share of the topologies that may have it
  Kind(int lots, double share) {
    this.lots = lots;
    this.share = share;
  }

  /// Those that a topology may have.
  static List<Kind> some(Seed topology) {
    List<Kind> some = new ArrayList<>();
    for (Kind kind : values()) {
      if (topology.fork("may have " + kind).chance(kind.share)) {
        some.add(kind);
      }
    }
    return some;
  }

  /// Draws one of them.
  static Kind drawn(List<Kind> among, Seed attempt) {
    Kind winner = among.getFirst();
    int lowest = LOTS;
    for (Kind kind : among) {
      Seed own = attempt.fork("lots of " + kind);
      for (int i = 0; i < kind.lots; i++) {
        int lot = own.below(LOTS);
        if (lot < lowest) {
          lowest = lot;
          winner = kind;
        }
      }
    }
    return winner;
  }
}

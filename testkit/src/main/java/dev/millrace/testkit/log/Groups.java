package dev.millrace.testkit.log;

import dev.millrace.spi.Split;
import dev.millrace.testkit.Trace;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The positions of consumer groups. Of two transactions the one wins whose positions came last,
/// whichever was decided first.
final class Groups {
  private final Trace trace;
  private final TreeMap<String, TreeMap<Split, Known>> groups = new TreeMap<>();
  private long arrived;

  Groups(Trace trace) {
    this.trace = trace;
  }

  private record Known(long offset, long arrival, boolean own) {}

  /// Positions whose transaction is not decided.
  record Pending(String group, Map<Split, Long> positions, long arrival, boolean own) {}

  /// A copy of the positions of a group.
  ///
  /// @param own whether those that transactions have set are among them
  Map<Split, Long> positions(String group, boolean own) {
    TreeMap<Split, Long> copy = new TreeMap<>();
    groups
        .getOrDefault(group, new TreeMap<>())
        .forEach((split, known) -> {
          if (own || !known.own) {
            copy.put(split, known.offset);
          }
        });
    return copy;
  }

  Pending receive(String group, Map<Split, Long> positions) {
    return new Pending(group, new TreeMap<>(positions), arrived++, true);
  }

  /// Sets positions without a transaction.
  void set(String group, Map<Split, Long> positions) {
    commit(List.of(new Pending(group, new TreeMap<>(positions), arrived++, false)));
  }

  void commit(List<Pending> transaction) {
    for (Pending pending : transaction) {
      TreeMap<Split, Known> group = groups.computeIfAbsent(pending.group, name -> new TreeMap<>());
      pending.positions.forEach((split, offset) -> {
        Known known = group.get(split);
        if (known == null || known.arrival < pending.arrival) {
          group.put(split, new Known(offset, pending.arrival, pending.own));
          trace.add("position", split, offset, pending.arrival);
        }
      });
    }
  }
}

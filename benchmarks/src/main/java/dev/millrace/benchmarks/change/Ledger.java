package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.change.peer.Padding;
import dev.millrace.benchmarks.change.peer.Row;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What must come out, and what did. The totals are a fold of the events in the order in which they
/// are written, made when they are; no engine has a part in it. Thread-safe.
///
/// The second operator counts while it is there. So its rows must be those of all events from one
/// to another in each partition, its counts begin with the first of them, and it must have a row
/// for each event that was written and answered while it was certainly there.
final class Ledger {
  private final long keys;
  private final WantedRows wanted;
  private final BitSet seen = new BitSet();
  private final BitSet wrong = new BitSet();
  private final Map<Integer, BitSet> totals = new HashMap<>();
  private final Map<Integer, List<Row>> recent = new HashMap<>();
  private final BitSet seenByRecent = new BitSet();
  private final BitSet wantedOfRecent = new BitSet();

  /// @param keys of the state, each of which has one event that [#filling] gives
  Ledger(long keys) {
    this.keys = keys;
    wanted = new WantedRows(keys);
  }

  /// Returns the event by which a key comes into the state.
  static Event filling(long key) {
    return new Event(key, Event.UNNUMBERED, amount(-key - 1));
  }

  private static long amount(long number) {
    return Padding.mixed(number) & 0xFFFF;
  }

  /// Returns the next numbered event, which is written next.
  synchronized Event next() {
    long number = wanted.size();
    long key = (Padding.mixed(number) >>> 1) % keys;
    Event event = new Event(key, number, amount(number));
    wanted.add(key, event.amount(), filling(key).amount());
    return event;
  }

  /// Returns how many numbered events there are.
  synchronized long events() {
    return wanted.size();
  }

  /// Returns of how many there is a row of the totals.
  synchronized long answered() {
    return seen.cardinality();
  }

  /// Returns the number of the first event without a row of the totals.
  synchronized long firstUnanswered() {
    return seen.nextClearBit(0);
  }

  /// Returns the keys of the events from a number on.
  synchronized Set<Long> keysFrom(long number) {
    Set<Long> found = new HashSet<>();
    for (int each = (int) number; each < wanted.size(); each++) {
      found.add(wanted.key(each));
    }
    return found;
  }

  /// Takes a row that was read, in the order of its partition.
  synchronized void accept(int partition, long key, Row row) {
    if (row.number() < 0 || row.number() >= wanted.size()) {
      throw new IllegalStateException(
          "The output has %s for key %d in partition %d, but there is no such event."
              .formatted(row, key, partition));
    }
    if (row.operator() == Row.RECENT) {
      recent.computeIfAbsent(partition, _ -> new ArrayList<>()).add(row);
      seenByRecent.set((int) row.number());
      return;
    }
    int number = (int) row.number();
    boolean right =
        key == wanted.key(number)
            && row.count() == wanted.count(number)
            && row.sum() == wanted.sum(number)
            && row.mark() == Padding.mark(Padding.of(key));
    if (!right || seen.get(number)) {
      wrong.set(number);
    }
    seen.set(number);
    totals.computeIfAbsent(partition, _ -> new BitSet()).set(number);
  }

  /// Returns how many of the events from one number to before another have no row of the totals, a
  /// wrong one, or more than one.
  synchronized long wrong(long from, long to) {
    BitSet failed = new BitSet();
    failed.set((int) from, (int) to);
    failed.andNot(seen);
    BitSet bad = wrong.get((int) from, (int) to);
    for (int i = bad.nextSetBit(0); i >= 0; i = bad.nextSetBit(i + 1)) {
      failed.set((int) from + i);
    }
    return failed.cardinality();
  }

  /// Says that the second operator is there for the events from one number to before another.
  synchronized void requireRecent(long from, long to) {
    wantedOfRecent.set((int) from, (int) to);
  }

  /// Returns how many rows of the second operator are wrong, missing or too many.
  synchronized long wrongOfRecent() {
    BitSet missing = (BitSet) wantedOfRecent.clone();
    missing.andNot(seenByRecent);
    long count = missing.cardinality();
    for (Map.Entry<Integer, List<Row>> each : recent.entrySet()) {
      count += wrongOfRecent(totals.getOrDefault(each.getKey(), new BitSet()), each.getValue());
    }
    return count;
  }

  /// @param order the numbers of all events of a partition
  private long wrongOfRecent(BitSet order, List<Row> rows) {
    long bad = 0;
    int due = (int) rows.getFirst().number();
    Map<Long, Long> counts = new HashMap<>();
    for (Row row : rows) {
      long key = wanted.key((int) row.number());
      long count = counts.getOrDefault(key, 0L) + 1;
      counts.put(key, count);
      if (due != row.number() || !order.get(due) || count != row.count()) {
        bad++;
      }
      due = order.nextSetBit((int) row.number() + 1);
    }
    return bad;
  }
}

package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Combiner;
import dev.millrace.internal.engine.operators.Counted;
import dev.millrace.internal.engine.operators.Snapshot;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.engine.topology.Node;
import java.util.Arrays;

/// Aggregates the rows of a batch that have the same key and lie in the same windows, before they
/// are sent to the task of their key; see [Combiner].
///
/// Where few rows have a key in common, looking for them costs more than it saves: then most
/// batches go through with each row by itself.
final class CombineStep extends Step {
  /// It pays if there are at most that many aggregates for so many rows.
  private static final int PAYING = 3;

  private static final int OF = 4;

  /// Batches that are not tried behind one that did not pay.
  private static final int PASSED = 31;

  private final Keys keys;
  private final Combiner combiner;
  private final Snapshot snapshot;
  private final String operator;
  private final Cursor cursor;
  private final Groups groups = new Groups();
  private final Bytes key = new Bytes();
  private final Rows out = new Rows();

  /// The rows in each aggregate.
  private int[] counts = new int[64];

  /// Whether the operator behind the exchange is at work.
  private boolean aggregates;

  private int passing;

  CombineStep(Place place, Node.Combine node) {
    super("exchange '" + node.exchange() + "'", place);
    keys = Keys.made(node.key(), node.keySerde());
    combiner = node.combiner();
    snapshot = new Snapshot(combiner.aggregates());
    operator = node.operator();
    cursor = new Cursor(out, null);
  }

  @Override
  String where() {
    return aggregates ? operator : name;
  }

  @Override
  void apply(Rows rows) {
    if (rows.anyRetractions()) {
      throw new IllegalStateException("Retractions cannot be aggregated before they are sent.");
    }
    aggregates = false;
    rows.values();
    out.startMade(rows);
    cursor.start(rows);
    if (counts.length < rows.size()) {
      counts = new int[rows.size() * 2];
    }
    boolean alone = passing > 0 || rows.size() < 2;
    if (!alone) {
      groups.start(rows.size());
    }
    while (cursor.next()) {
      add(rows, alone);
    }
    for (int group = 0, size = out.size(); group < size; group++) {
      out.replace(group, new Counted(counts[group], out.value(group)));
    }
    if (passing > 0) {
      passing--;
    } else if (!alone && out.size() * OF > rows.size() * PAYING) {
      passing = PASSED;
    }
    forward(out);
  }

  private void add(Rows rows, boolean alone) {
    keys.find(rows, cursor.row, key);
    aggregates = true;
    long time = cursor.timestamp();
    int group = alone ? out.size() : groups.of(key, combiner.slices().applyAsLong(time), out);
    if (group == out.size()) {
      Object first = snapshot.of(combiner.aggregation().add(null, cursor));
      out.addOwn(key, first, time, rows.origin(cursor.row));
      counts[group] = 1;
    } else {
      out.replace(group, combiner.aggregation().add(out.value(group), cursor));
      out.timestamp(group, combiner.times().applyAsLong(out.timestamp(group), time));
      counts[group]++;
    }
    aggregates = false;
  }

  /// Finds the aggregate of a key and a slice of time.
  private static final class Groups {
    private static final int MIX = 0x9e3779b9;

    /// The number of an aggregate and one, or 0; a power of two of them, twice as many as there can
    /// be aggregates.
    private int[] table = new int[64];

    private int[] hashes = new int[32];
    private long[] slices = new long[32];
    private final Bytes found = new Bytes();

    /// Starts anew.
    ///
    /// @param most aggregates there will be
    void start(int most) {
      if (hashes.length < most) {
        int capacity = Integer.highestOneBit(most - 1) * 2;
        table = new int[capacity * 2];
        hashes = new int[capacity];
        slices = new long[capacity];
      } else {
        Arrays.fill(table, 0);
      }
    }

    /// The number of the aggregate, which is the number of those so far if it is a new one.
    ///
    /// @param all the aggregates so far
    int of(Bytes key, long slice, Rows all) {
      int hash = Partitioner.hash(key.array(), key.offset(), key.length()) ^ Long.hashCode(slice);
      int mask = table.length - 1;
      int place = hash * MIX >>> Integer.numberOfLeadingZeros(mask);
      while (table[place] != 0) {
        int group = table[place] - 1;
        if (hashes[group] == hash
            && slices[group] == slice
            && all.key(group, found)
            && found.equals(key)) {
          return group;
        }
        place = place + 1 & mask;
      }
      int group = all.size();
      table[place] = group + 1;
      hashes[group] = hash;
      slices[group] = slice;
      return group;
    }
  }
}

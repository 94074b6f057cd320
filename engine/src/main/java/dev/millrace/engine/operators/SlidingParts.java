package dev.millrace.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// Aggregates of parts of time, by key, for windows that begin and end anywhere: of a window with
/// many rows only those of the parts at both of its ends are looked at one by one.
///
/// A part is of use until the first window that has all of it needs it no more; from then on
/// nothing is added to it or taken out, and it goes with its rows.
final class SlidingParts {
  /// How many there are in a window.
  private static final int PARTS = 32;

  private final Spec spec;
  private final Snapshot snapshot;
  private final KeyTime keyTime = new KeyTime();
  private @Nullable KeyValueStore<Bytes, Object> store;
  private @Nullable Aggregates aggregates;

  SlidingParts(Spec spec) {
    this.spec = spec;
    snapshot = new Snapshot(spec.store.valueSerde());
  }

  /// @param aggregation of the rows of a part; one that merges
  /// @param kept the same as it is kept: counts rows, if they may be taken back
  record Spec(
      StoreSpec<Bytes, Object> store, Aggregation aggregation, Aggregation kept, long partMillis) {

    /// @param changing whether rows may be taken back
    static Spec of(
        String name,
        long sizeMillis,
        Aggregation aggregation,
        boolean changing,
        Serde<Object> keys,
        Serde<Object> results) {
      Aggregation kept = changing ? aggregation.ofChangingRows() : aggregation;
      StoreSpec<Bytes, Object> store =
          KeyBytesSerde.beforeTime(keys).spec(name + "-parts", kept.format(results));
      return new Spec(store, aggregation, kept, Math.ceilDiv(sizeMillis, PARTS));
    }
  }

  void open(OperatorContext context) {
    store = context.store(spec.store);
    aggregates = context.aggregates(spec.store);
  }

  void close() {
    store = null;
    aggregates = null;
  }

  /// When the part of a time begins.
  long begin(long time) {
    return time - Math.floorMod(time, spec.partMillis);
  }

  /// When the first part begins that does not begin before a time.
  long next(long time) {
    return begin(time + spec.partMillis - 1);
  }

  /// Adds a row to its part, or takes it out.
  ///
  /// @param lastForgotten the last time whose rows no window needs any more
  void update(Bytes key, RowCursor row, long lastForgotten) {
    long begin = begin(row.timestamp());
    if (begin <= lastForgotten) {
      return;
    }
    Bytes place = keyTime.of(key, begin);
    Aggregates all = Opened.store(aggregates);
    Object before = all.find(place);
    if (!row.isRetraction()) {
      Object aggregate = spec.kept.add(before, row);
      all.replace(before == null ? snapshot.of(aggregate) : aggregate);
      return;
    }
    if (before == null) {
      throw Panes.nothingToTakeBack();
    }
    Object rest = spec.kept.remove(before, row);
    if (rest == null) {
      Opened.store(store).delete(place);
    } else {
      all.replace(rest);
    }
  }

  /// The aggregate of the rows from one part to before another, in the order of time.
  ///
  /// @param before of rows before that, to which they are added; null if there are none
  @Nullable Object merged(@Nullable Object before, Bytes key, long from, long to) {
    @Nullable Object[] merged = {before};
    Bytes first = keyTime.of(key, from).copy();
    Bytes behind = keyTime.of(key, to).copy();
    Opened.store(store)
        .range(
            first,
            behind,
            (_, part) -> {
              merged[0] = merge(merged[0], spec.kept.result(Opened.kept(snapshot.of(part))));
              return true;
            });
    return merged[0];
  }

  Object merge(@Nullable Object one, Object other) {
    return one == null ? other : spec.aggregation.merge(one, other);
  }

  /// Lets go of the part of a time whose rows go.
  void forget(Bytes key, long time) {
    Opened.store(store).delete(keyTime.of(key, begin(time)));
  }
}

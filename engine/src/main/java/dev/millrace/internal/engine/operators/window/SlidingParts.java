package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.rows.FoldedPanes;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.KeyTime;
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
  private final FoldedPanes panes;
  private final KeyTime keyTime = new KeyTime();

  SlidingParts(Spec spec) {
    this.spec = spec;
    panes = new FoldedPanes(spec.store, spec.kept);
  }

  /// @param aggregation of the rows of a part; one that merges
  /// @param kept the same as it is kept: counts rows, if they may be taken back
  record Spec(
      StoreSpec<Bytes, Object> store, Aggregation aggregation, Aggregation kept, long partMillis) {

    /// @param changing whether rows may be taken back
    public static Spec of(
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
    panes.open(context);
  }

  void close() {
    panes.close();
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
    Object part = panes.find(place);
    if (row.isRetraction()) {
      panes.remove(place, part, row);
    } else {
      panes.add(place, part, row);
    }
  }

  /// The aggregate of the rows from one part to before another, in the order of time.
  ///
  /// @param before of rows before that, to which they are added; null if there are none
  @Nullable Object merged(@Nullable Object before, Window window, Bytes key, long from, long to) {
    @Nullable Object[] merged = {before};
    Bytes first = keyTime.of(key, from).copy();
    Bytes behind = keyTime.of(key, to).copy();
    panes
        .store()
        .range(
            first,
            behind,
            (place, part) -> {
              merged[0] = merge(merged[0], panes.result(window, place, part));
              return true;
            });
    return merged[0];
  }

  Object merge(@Nullable Object one, Object other) {
    return one == null ? other : spec.aggregation.merge(one, other);
  }

  /// Lets go of the part of a time whose rows go, unless it is gone with others of them.
  void forget(Bytes key, long time) {
    Bytes place = keyTime.of(key, begin(time));
    if (panes.store().get(place) != null) {
      panes.delete(place);
    }
  }
}

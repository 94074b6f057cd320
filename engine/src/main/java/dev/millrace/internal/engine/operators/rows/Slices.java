package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregates;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.FixedWindows;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.Snapshot;
import dev.millrace.internal.engine.operators.TimeKey;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Aggregates of parts of time, by key: a window's is merged from those in it.
///
/// Which slices of a window have something is told by bits, so that nothing else is looked for. A
/// bit stands for a slice or, where a window has too many for the bits of a number, for some that
/// follow each other. A bit that is set may stand for nothing; one that is not set never stands for
/// something.
public final class Slices {
  /// One less than there are: a window may begin and end within what a bit stands for.
  private static final int BITS = Long.SIZE - 1;

  private final StoreSpec<Bytes, Object> spec;
  private final Aggregation aggregation;
  private final Snapshot snapshot;
  private final long sizeMillis;
  private final long sliceMillis;
  private final long bitMillis;
  private final TimeKey sliceKey = new TimeKey();
  private final Bytes rowKey = new Bytes();
  private @Nullable KeyValueStore<Bytes, Object> store;
  private @Nullable Aggregates aggregates;
  private @Nullable ReadAhead ahead;
  private @Nullable DueEntries<Object> expired;

  /// @param aggregation one that merges
  public Slices(StoreSpec<Bytes, Object> spec, Aggregation aggregation, FixedWindows windows) {
    this.spec = spec;
    this.aggregation = aggregation;
    snapshot = new Snapshot(spec.valueSerde());
    sizeMillis = windows.sizeMillis();
    sliceMillis = windows.sliceMillis();
    bitMillis = sliceMillis * Math.ceilDiv(sizeMillis / sliceMillis, BITS);
  }

  /// @param keys of the rows
  public static StoreSpec<Bytes, Object> spec(
      String name, Aggregation aggregation, Serde<Object> keys, Serde<Object> results) {
    return KeyBytesSerde.afterTime(keys).spec(name, aggregation.format(results));
  }

  public void open(OperatorContext context) {
    store = context.store(spec);
    aggregates = context.aggregates(spec);
    ahead = context.readAhead(spec);
    expired = new DueEntries<>(context.store(spec));
  }

  public void close() {
    store = null;
    aggregates = null;
    ahead = null;
    expired = null;
  }

  public ReadAhead ahead() {
    return Opened.store(ahead);
  }

  /// Notes that the slice of a time will be asked for.
  public void want(long time, Bytes key) {
    ahead().want(sliceKey.of(sliceOf(time), key));
  }

  /// Notes that some slices of a window will be asked for.
  public void want(Bytes window, long bits) {
    visit(window, bits, slice -> ahead().want(slice));
  }

  private long sliceOf(long time) {
    return AlignedWindows.requireNear(time) - Math.floorMod(time, sliceMillis);
  }

  /// Adds a row to its slice, or takes it out.
  ///
  /// @return whether the slice had nothing before
  public boolean update(RowCursor row, Bytes key) {
    Bytes slice = sliceKey.of(sliceOf(row.timestamp()), key);
    Aggregates all = Opened.store(aggregates);
    Object before = all.find(slice);
    if (!row.isRetraction()) {
      Object aggregate = aggregation.add(before, row);
      all.replace(slice, before == null ? snapshot.of(aggregate) : aggregate);
      Opened.store(expired).added(slice);
      return before == null;
    }
    if (before == null) {
      throw Panes.nothingToTakeBack();
    }
    Object rest = aggregation.remove(before, row);
    if (rest == null) {
      Opened.store(store).delete(slice);
    } else {
      all.replace(slice, rest);
    }
    return false;
  }

  /// The bit of a time in a window that begins at another.
  public long bit(long start, long time) {
    return 1L << (Math.floorDiv(time, bitMillis) - Math.floorDiv(start, bitMillis));
  }

  /// What bits of a window are in one that begins later, but not behind its end.
  public long moved(long bits, long start, long later) {
    return bits >>> (Math.floorDiv(later, bitMillis) - Math.floorDiv(start, bitMillis));
  }

  /// The result of a window of a key; null if its slices are empty.
  ///
  /// @param window see [TimeKey]
  /// @param bits of the slices that may have something; -1 for all
  public @Nullable Object merged(Bytes window, long bits) {
    Merge merge = new Merge();
    visit(window, bits, merge);
    return merge.merged == null ? null : aggregation.result(merge.merged);
  }

  private void visit(Bytes window, long bits, SliceVisitor visitor) {
    long start = TimeKey.time(window);
    long end = start + sizeMillis;
    Bytes key = TimeKey.rowKey(window, rowKey);
    long first = Math.floorDiv(start, bitMillis) * bitMillis;
    for (long left = bits; left != 0; left &= left - 1) {
      long from = first + Long.numberOfTrailingZeros(left) * bitMillis;
      long to = Math.min(from + bitMillis, end);
      for (long at = Math.max(from, start); at < to; at += sliceMillis) {
        visitor.slice(sliceKey.of(at, key));
      }
    }
  }

  /// Forgets slices up to a time, at most `budget`.
  ///
  /// @param forgotten is told their keys
  /// @return whether none is left
  public boolean expire(long latest, int budget, Consumer<Bytes> forgotten) {
    return Opened.store(expired)
        .take(
            latest,
            budget,
            slice -> {
              Opened.store(store).delete(slice);
              forgotten.accept(slice);
            });
  }

  @FunctionalInterface
  private interface SliceVisitor {
    /// @param slice a key of the store, valid until the visitor returns
    void slice(Bytes slice);
  }

  private final class Merge implements SliceVisitor {
    private @Nullable Object merged;

    @Override
    public void slice(Bytes slice) {
      Object found = Opened.store(store).get(slice);
      if (found != null) {
        Object copy = snapshot.of(found);
        merged = merged == null ? copy : aggregation.merge(merged, copy);
      }
    }
  }
}

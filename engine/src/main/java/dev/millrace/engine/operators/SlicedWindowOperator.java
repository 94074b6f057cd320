package dev.millrace.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.LateRecords;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// [WindowOperator] for windows that overlap: a row goes into one slice of time, however many
/// windows hold it, and a window's result is merged from its slices when it closes.
///
/// A slice is as long as the largest length that divides all windows. For each key the next window
/// that has something in it is marked; when it has closed the one behind it is, if it shares a
/// slice that is not empty, and so on. So a key that no more rows come for costs nothing once its
/// last window has closed.
public final class SlicedWindowOperator implements Operator {
  private final StoreSpec<Bytes, Object> sliceSpec;
  private final StoreSpec<Bytes, Boolean> markSpec;
  private final @Nullable StoreSpec<Bytes, Bytes> firedSpec;
  private final FixedWindows windows;
  private final long sliceMillis;
  private final Aggregation aggregation;
  private final Snapshot snapshot;
  private final WindowRows windowRows;
  private final Changes corrections;
  private final LateRows late;
  private final TimeKey sliceKey = new TimeKey();
  private final TimeKey windowKey = new TimeKey();
  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, Object> slices;
  private @Nullable KeyValueStore<Bytes, Boolean> marks;
  private @Nullable DueEntries<Boolean> due;
  private @Nullable DueEntries<Object> expired;
  private @Nullable ReadAhead ahead;

  /// Only for what was passed over; null where windows are not corrected.
  private @Nullable Fired fired;

  /// The start of the last slice that was found at the last merge.
  private long lastFound;

  private SlicedWindowOperator(
      StoreSpec<Bytes, Object> sliceSpec,
      StoreSpec<Bytes, Boolean> markSpec,
      @Nullable StoreSpec<Bytes, Bytes> firedSpec,
      FixedWindows windows,
      Aggregation aggregation,
      Serde<Object> keySerde,
      LateRows late) {
    this.sliceSpec = sliceSpec;
    this.markSpec = markSpec;
    this.firedSpec = firedSpec;
    this.windows = windows;
    this.aggregation = aggregation;
    sliceMillis = greatestDivisor(windows.sizeMillis(), windows.everyMillis());
    snapshot = new Snapshot(sliceSpec.valueSerde());
    windowRows = new WindowRows(windows.places(), keySerde);
    corrections = new Changes(this::emitted, this::merged);
    this.late = late;
  }

  /// The operator as a topology carries it.
  ///
  /// @param aggregation one that merges
  /// @param keys of the rows
  public static Declaration declare(
      String name,
      FixedWindows windows,
      Aggregation aggregation,
      Serde<Object> keys,
      Serde<Object> results) {
    StoreSpec<Bytes, Object> slices =
        KeyBytesSerde.afterTime(keys).spec(name, aggregation.format(results));
    StoreSpec<Bytes, Boolean> marks = Notes.spec(name + "-due", keys);
    StoreSpec<Long, LateRecords> late = LateRows.spec(name);
    StoreSpec<Bytes, Bytes> fired =
        windows.correctable() ? Fired.spec(name, KeyBytesSerde.afterTime(keys)) : null;
    List<StoreSpec<?, ?>> stores = new ArrayList<>(List.of(slices, marks, late));
    if (fired != null) {
      stores.add(fired);
    }
    return new Declaration(
        () ->
            new SlicedWindowOperator(
                slices, marks, fired, windows, aggregation, keys, new LateRows(late)),
        stores,
        windows.latenessMillis());
  }

  private static long greatestDivisor(long one, long other) {
    return other == 0 ? one : greatestDivisor(other, one % other);
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    late.open(opened);
    slices = opened.store(sliceSpec);
    marks = opened.store(markSpec);
    due = new DueEntries<>(marks);
    expired = new DueEntries<>(slices);
    ahead = opened.readAhead(sliceSpec);
    fired = firedSpec == null ? null : new Fired(opened.store(firedSpec));
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    OperatorContext opened = Opened.store(context);
    long watermark = opened.watermark();
    readAhead(rows, watermark, Opened.store(ahead));
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      long last = windows.lastStart(rows.timestamp());
      if (windows.gone(last, watermark)) {
        late.tooLate(last, rows, out);
      } else {
        update(rows, key, last, watermark);
      }
    }
    corrections.show((window, before, now, _) -> {
      windowRows.replace(window, before, now, out);
      forgetPassedOver(window);
    });
  }

  private void readAhead(RowCursor rows, long watermark, ReadAhead from) {
    if (from.pays()) {
      while (rows.next()) {
        if (!windows.gone(windows.lastStart(rows.timestamp()), watermark)) {
          from.want(sliceKey.of(sliceOf(rows.timestamp()), Opened.key(rows)));
        }
      }
      rows.rewind();
      from.load();
    }
  }

  private long sliceOf(long time) {
    return AlignedWindows.requireNear(time) - Math.floorMod(time, sliceMillis);
  }

  /// @param last the start of the last window that holds the row
  private void update(RowCursor row, Bytes key, long last, long watermark) {
    long time = row.timestamp();
    long firstOpen = Long.MAX_VALUE;
    for (long start = last; windows.end(start) > time; start = windows.startBefore(start)) {
      if (!windows.closed(start, watermark)) {
        firstOpen = start;
      } else if (!windows.gone(start, watermark)) {
        corrections.before(windowKey.of(start, key), time);
        late.corrects(start, row);
      }
    }
    KeyValueStore<Bytes, Object> all = Opened.store(slices);
    Bytes slice = sliceKey.of(sliceOf(time), key);
    Object before = all.get(slice);
    if (row.isRetraction()) {
      remove(slice, before, row);
    } else {
      Object aggregate = aggregation.add(before, row);
      all.put(slice, before == null ? snapshot.of(aggregate) : aggregate);
      Opened.store(expired).added(slice);
    }
    if (before == null && firstOpen < Long.MAX_VALUE) {
      mark(windowKey.of(firstOpen, key));
    }
  }

  private void remove(Bytes slice, @Nullable Object before, RowCursor row) {
    if (before == null) {
      throw Panes.nothingToTakeBack();
    }
    Object rest = aggregation.remove(before, row);
    if (rest == null) {
      Opened.store(slices).delete(slice);
    } else {
      Opened.store(slices).put(slice, rest);
    }
  }

  private void mark(Bytes window) {
    Opened.store(marks).put(window, true);
    Opened.store(due).added(window);
  }

  /// The result of a window of a key; null if all its slices are empty.
  private @Nullable Object merged(Bytes window) {
    long start = TimeKey.time(window);
    Bytes key = TimeKey.rowKey(window, new Bytes());
    Object merged = null;
    lastFound = Long.MIN_VALUE;
    for (long at = start; at < windows.end(start); at += sliceMillis) {
      Object slice = Opened.store(slices).get(sliceKey.of(at, key));
      if (slice != null) {
        lastFound = at;
        Object copy = snapshot.of(slice);
        merged = merged == null ? copy : aggregation.merge(merged, copy);
      }
    }
    return merged == null ? null : aggregation.result(merged);
  }

  /// What was emitted of a window.
  private @Nullable Object emitted(Bytes window) {
    return fired != null && fired.wasPassedOver(window) ? null : merged(window);
  }

  private void forgetPassedOver(Bytes window) {
    if (fired != null) {
      fired.forget(window);
    }
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    long lastClosed = windows.lastClosed(watermark);
    int left = budget;
    while (left > 0) {
      List<Bytes> closed = new ArrayList<>();
      int atMost = left;
      Opened.store(due)
          .walk(
              lastClosed,
              (window, _) -> {
                // Closing one window marks those behind it, so one after the other.
                boolean takes =
                    closed.isEmpty()
                        || (closed.size() < atMost
                            && TimeKey.time(window) == TimeKey.time(closed.getFirst()));
                if (takes) {
                  closed.add(window.copy());
                }
                return takes;
              });
      if (closed.isEmpty()) {
        return expire(watermark, budget);
      }
      left -= closed.size();
      for (Bytes window : closed) {
        boolean begins = out.begins(window);
        Opened.store(marks).delete(window);
        if (begins) {
          close(window, out);
        } else {
          passOver(window);
        }
      }
    }
    return false;
  }

  private void close(Bytes window, RowSink out) {
    Object result = merged(window);
    if (result != null) {
      windowRows.emit(window, result, out);
    }
    markNext(window);
  }

  private void passOver(Bytes window) {
    if (fired != null) {
      fired.passOver(window);
    }
    long start = TimeKey.time(window);
    Bytes key = TimeKey.rowKey(window, new Bytes());
    lastFound = Long.MIN_VALUE;
    for (long at = start; at < windows.end(start); at += sliceMillis) {
      if (Opened.store(slices).get(sliceKey.of(at, key)) != null) {
        lastFound = at;
      }
    }
    markNext(window);
  }

  private void markNext(Bytes window) {
    long next = TimeKey.time(window) + windows.everyMillis();
    if (lastFound >= next || anySlice(window, windows.end(TimeKey.time(window)))) {
      mark(windowKey.of(next, TimeKey.rowKey(window, new Bytes())));
    }
  }

  /// Whether there is a slice behind a window that is in the next one.
  private boolean anySlice(Bytes window, long end) {
    Bytes key = TimeKey.rowKey(window, new Bytes());
    for (long at = end; at < end + windows.everyMillis(); at += sliceMillis) {
      if (Opened.store(slices).get(sliceKey.of(at, key)) != null) {
        return true;
      }
    }
    return false;
  }

  /// Slices go when the last window that holds them is gone.
  private boolean expire(long watermark, int budget) {
    long lastGone = windows.lastGone(watermark);
    long latest =
        lastGone < -AlignedWindows.FARTHEST || lastGone > AlignedWindows.FARTHEST
            ? lastGone
            : windows.lastStart(lastGone) + windows.everyMillis() - 1;
    return Opened.store(expired).take(latest, budget, this::forget);
  }

  /// The windows that hold a slice are gone.
  private void forget(Bytes slice) {
    Opened.store(slices).delete(slice);
    if (fired != null) {
      fired.forgetBefore(windows.lastStart(TimeKey.time(slice)) + 1);
    }
  }

  @Override
  public Due due(Bytes place) {
    return Due.result(
        place, TimeKey.rowKey(place, new Bytes()), windows.window(TimeKey.time(place)));
  }

  @Override
  public void close() {
    context = null;
    late.close();
    slices = null;
    marks = null;
    due = null;
    expired = null;
    ahead = null;
    fired = null;
  }
}

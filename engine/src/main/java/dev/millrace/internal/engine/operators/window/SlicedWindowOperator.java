package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.FixedWindows;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.WindowRows;
import dev.millrace.internal.engine.operators.rows.Changes;
import dev.millrace.internal.engine.operators.rows.DueEntries;
import dev.millrace.internal.engine.operators.rows.Fired;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.LateRows;
import dev.millrace.internal.engine.operators.rows.Slices;
import dev.millrace.spi.job.LateRecords;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// [WindowOperator] for windows that overlap: a row goes into one slice of time, however many
/// windows hold it, and a window's result is merged from its slices when it closes.
///
/// A slice is as long as the largest length that divides all windows. For each key the next window
/// that has something in it is marked, with bits for the slices that may have something; when it
/// has closed the one behind it is, if it shares any of them, and so on. So a key that no more rows
/// come for costs nothing once its last window has closed, and what costs in a window is what it
/// has.
public final class SlicedWindowOperator implements Operator {
  private final StoreSpec<Bytes, Long> markSpec;
  private final @Nullable StoreSpec<Bytes, Bytes> firedSpec;
  private final FixedWindows windows;
  private final Slices slices;
  private final WindowRows windowRows;
  private final Changes corrections;
  private final LateRows late;
  private final TimeKey windowKey = new TimeKey();
  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, Long> marks;
  private @Nullable DueEntries<Long> due;

  /// Only for what was passed over; null where windows are not corrected.
  private @Nullable Fired fired;

  /// A window that closes, of a key.
  private record Closing(Bytes window, long bits) {}

  private SlicedWindowOperator(
      StoreSpec<Bytes, Long> markSpec,
      @Nullable StoreSpec<Bytes, Bytes> firedSpec,
      FixedWindows windows,
      Slices slices,
      Serde<Object> keySerde,
      LateRows late) {
    this.markSpec = markSpec;
    this.firedSpec = firedSpec;
    this.windows = windows;
    this.slices = slices;
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
    StoreSpec<Bytes, Object> slices = Slices.spec(name, aggregation, keys, results);
    StoreSpec<Bytes, Long> marks =
        KeyBytesSerde.afterTime(keys).spec(name + "-due", Serdes.longs());
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
                marks,
                fired,
                windows,
                new Slices(slices, aggregation, windows),
                keys,
                new LateRows(late, aggregation::rows)),
        stores,
        Parameters.of("slices of windows"),
        windows.latenessMillis());
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    late.open(opened);
    slices.open(opened);
    marks = opened.store(markSpec);
    due = new DueEntries<>(marks);
    fired = firedSpec == null ? null : new Fired(opened.store(firedSpec));
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    OperatorContext opened = Opened.store(context);
    long watermark = opened.watermark();
    readAhead(rows, watermark);
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

  private void readAhead(RowCursor rows, long watermark) {
    if (slices.ahead().pays()) {
      while (rows.next()) {
        if (!windows.gone(windows.lastStart(rows.timestamp()), watermark)) {
          slices.want(rows.timestamp(), Opened.key(rows));
        }
      }
      rows.rewind();
      slices.ahead().load();
    }
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
    if (slices.update(row, key) && firstOpen < Long.MAX_VALUE) {
      mark(firstOpen, key, slices.bit(firstOpen, time));
    }
  }

  /// @param bits of slices that have something, also in the windows behind
  private void mark(long start, Bytes key, long bits) {
    Bytes window = windowKey.of(start, key);
    KeyValueStore<Bytes, Long> all = Opened.store(marks);
    Long before = all.get(window);
    if (before == null) {
      all.put(window, bits);
      Opened.store(due).added(window);
    } else if ((before | bits) != before) {
      all.put(window, before | bits);
    }
  }

  /// Which slices a closed window has is known no more.
  private @Nullable Object merged(Bytes window) {
    return slices.merged(window, -1);
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
      List<Closing> closing = closing(lastClosed, left);
      if (closing.isEmpty()) {
        return expire(watermark, budget);
      }
      left -= closing.size();
      readAhead(closing);
      for (Closing each : closing) {
        boolean begins = out.begins(each.window);
        Opened.store(marks).delete(each.window);
        if (begins) {
          close(each, out);
        } else if (fired != null) {
          fired.passOver(each.window);
        }
        markNext(each);
      }
    }
    return false;
  }

  /// Windows to close, all with the same times: closing one marks those behind it.
  private List<Closing> closing(long lastClosed, int atMost) {
    List<Closing> all = new ArrayList<>();
    Opened.store(due)
        .walk(
            lastClosed,
            (window, bits) -> {
              boolean takes =
                  all.isEmpty()
                      || (all.size() < atMost
                          && TimeKey.time(window) == TimeKey.time(all.getFirst().window));
              if (takes) {
                all.add(new Closing(window.copy(), bits));
              }
              return takes;
            });
    return all;
  }

  private void readAhead(List<Closing> closing) {
    if (slices.ahead().pays()) {
      for (Closing each : closing) {
        slices.want(each.window, each.bits);
      }
      slices.ahead().load();
    }
  }

  private void close(Closing closing, RowSink out) {
    Object result = slices.merged(closing.window, closing.bits);
    if (result != null) {
      windowRows.emit(closing.window, result, out);
    }
  }

  private void markNext(Closing closed) {
    long start = TimeKey.time(closed.window);
    long next = start + windows.everyMillis();
    long bits = slices.moved(closed.bits, start, next);
    if (bits != 0) {
      mark(next, TimeKey.rowKey(closed.window, new Bytes()), bits);
    }
  }

  /// Slices go when the last window that holds them is gone.
  private boolean expire(long watermark, int budget) {
    long lastGone = windows.lastGone(watermark);
    long latest =
        lastGone < -AlignedWindows.FARTHEST || lastGone > AlignedWindows.FARTHEST
            ? lastGone
            : windows.lastStart(lastGone) + windows.everyMillis() - 1;
    return slices.expire(latest, budget, this::forget);
  }

  /// The windows that hold a slice are gone.
  private void forget(Bytes slice) {
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
    slices.close();
    marks = null;
    due = null;
    fired = null;
  }
}

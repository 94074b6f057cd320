package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.WindowPlaces;
import dev.millrace.internal.engine.operators.WindowRows;
import dev.millrace.internal.engine.operators.WindowSet;
import dev.millrace.internal.engine.operators.rows.Changes;
import dev.millrace.internal.engine.operators.rows.DueEntries;
import dev.millrace.internal.engine.operators.rows.EarlyResults;
import dev.millrace.internal.engine.operators.rows.Fired;
import dev.millrace.internal.engine.operators.rows.FoldedPanes;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.LateRows;
import dev.millrace.internal.engine.operators.rows.Panes;
import dev.millrace.internal.engine.operators.rows.RetainedPanes;
import dev.millrace.spi.job.LateRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Keeps a pane a key and window; when the watermark reaches a window's end, emits the result of
/// each of its panes; see [WindowRows].
///
/// Panes are kept for as long as late rows may correct them. A late row opens its pane again: what
/// was emitted is taken back and the new result emitted, once for all rows of a batch. A row all of
/// whose windows are gone is too late.
///
/// Panes close in order of time and, within a window, of the key's bytes, in bounded steps. Where
/// they are deleted as they close, what is left tells where to go on; where they are kept, [Fired]
/// does.
///
/// @param <V> the panes as they are kept
public final class WindowOperator<V> implements Operator {
  private final @Nullable StoreSpec<Bytes, Bytes> firedSpec;
  private final Panes<V> panes;
  private final WindowPlaces places;
  private final WindowRows windowRows;
  private final WindowPlaces.Visitor update = this::update;
  private final Changes corrections;
  private final LateRows late;
  private final @Nullable EarlyResults early;
  private @Nullable OperatorContext context;
  private @Nullable Fired fired;
  private @Nullable DueEntries<V> due;

  /// What is gone; null where panes are deleted as they close.
  private @Nullable DueEntries<V> expired;

  private long watermark;

  private WindowOperator(
      Panes<V> panes,
      WindowPlaces places,
      Serde<Object> keySerde,
      @Nullable StoreSpec<Bytes, Bytes> firedSpec,
      EarlyResults.@Nullable Spec earlySpec,
      LateRows late) {
    this.panes = panes;
    this.places = places;
    this.firedSpec = firedSpec;
    windowRows = new WindowRows(places, keySerde);
    corrections = new Changes(this::emitted, this::result);
    this.late = late;
    early = earlySpec == null ? null : new EarlyResults(earlySpec, windowRows, this::result);
  }

  /// Windows that keep an aggregate.
  ///
  /// @param timing says when results come early; how late is said by `windows`
  /// @param keys of the rows
  public static Declaration folding(
      String name,
      WindowSet windows,
      Windows.Timing timing,
      Aggregation aggregation,
      Serde<Object> keys,
      Serde<Object> results) {
    Panes.Declared panes = FoldedPanes.declare(name, aggregation, placesOf(windows, keys), results);
    EarlyResults.Spec early =
        timing.isEarly() ? EarlyResults.Spec.of(name, timing, keys, results) : null;
    return declare(name, windows, keys, panes, early, aggregation::rows);
  }

  /// Windows that keep all values.
  ///
  /// @param corrected whether rows may be taken back: values are in the order of event time then
  /// @param timing says when results come early; how late is said by `windows`
  /// @param keys of the rows
  /// @param values of the rows
  /// @param results gives the serde of the function's results, where they come early
  public static Declaration retaining(
      String name,
      WindowSet windows,
      boolean corrected,
      Windows.Timing timing,
      WindowFunction<Object, Object> function,
      Serde<Object> keys,
      Serde<Object> values,
      Supplier<Serde<Object>> results) {
    KeyBytesSerde places = placesOf(windows, keys);
    Panes.Declared panes =
        corrected
            ? RetainedPanes.byTime(name, function, places, values)
            : RetainedPanes.declare(name, function, places, values);
    EarlyResults.Spec early =
        timing.isEarly() ? EarlyResults.Spec.of(name, timing, keys, results.get()) : null;
    return declare(name, windows, keys, panes, early, _ -> 1);
  }

  private static KeyBytesSerde placesOf(WindowSet windows, Serde<Object> keys) {
    return new KeyBytesSerde(windows.places().format(), keys);
  }

  private static Declaration declare(
      String name,
      WindowSet windows,
      Serde<Object> keys,
      Panes.Declared panes,
      EarlyResults.@Nullable Spec early,
      ToLongFunction<RowCursor> rows) {
    StoreSpec<Long, LateRecords> late = LateRows.spec(name);
    List<StoreSpec<?, ?>> stores = new ArrayList<>(panes.stores());
    stores.add(late);
    StoreSpec<Bytes, Bytes> fired = null;
    if (windows.correctable()) {
      fired = Fired.spec(name, placesOf(windows, keys));
      stores.add(fired);
    }
    StoreSpec<Bytes, Bytes> firedSpec = fired;
    if (early != null) {
      stores.addAll(early.stores());
    }
    // A result that comes early is taken back when its window closes.
    return new Declaration(
        () ->
            new WindowOperator<>(
                panes.factory().create(),
                windows.places(),
                keys,
                firedSpec,
                early,
                new LateRows(late, rows)),
        stores,
        Parameters.of("windows"),
        early == null ? windows.latenessMillis() : Math.max(1, windows.latenessMillis()));
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    panes.open(opened);
    late.open(opened);
    due = new DueEntries<>(panes.store());
    if (early != null) {
      early.open(opened);
    }
    if (firedSpec != null) {
      expired = new DueEntries<>(panes.store());
      fired = new Fired(opened.store(firedSpec));
      fired.restore(due, places.lastClosed(opened.watermark()));
    }
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    OperatorContext opened = Opened.store(context);
    watermark = opened.watermark();
    places.readAhead(rows, watermark, panes.ahead());
    while (rows.next()) {
      if (!places.visit(rows, watermark, update)) {
        late.tooLate(places.lastStart(rows), rows, out);
      }
    }
    corrections.show((window, before, now, _) -> {
      windowRows.replace(window, before, now, out);
      if (fired != null) {
        fired.forget(window);
      }
    });
    if (early != null) {
      early.emitReached(out);
    }
  }

  private void update(Bytes storeKey, RowCursor row) {
    boolean closed = places.closed(storeKey, watermark);
    if (closed) {
      corrections.before(storeKey, row.timestamp());
      late.corrects(places.window(storeKey).start().toEpochMilli(), row);
    }
    V pane = panes.find(storeKey);
    if (row.isRetraction()) {
      panes.remove(storeKey, pane, row);
    } else {
      panes.add(storeKey, pane, row);
    }
    if (!closed) {
      Opened.store(due).added(storeKey);
      if (early != null) {
        boolean left = !row.isRetraction() || panes.store().get(storeKey) != null;
        early.changed(storeKey, left, row.timestamp(), watermark);
      }
    }
    if (expired != null) {
      expired.added(storeKey);
    }
  }

  @Override
  public boolean advance(long newWatermark, int budget, RowSink out) {
    List<Bytes> closed = new ArrayList<>();
    List<@Nullable Object> results = new ArrayList<>();
    boolean done =
        Opened.store(due)
            .walk(
                places.lastClosed(newWatermark),
                (storeKey, pane) -> {
                  if (closed.size() >= budget) {
                    return false;
                  }
                  // Keys may be read as views: a copy of their own for each.
                  Bytes kept = storeKey.copy();
                  closed.add(kept);
                  results.add(out.begins(kept) ? result(kept, pane) : null);
                  return true;
                });
    for (int i = 0; i < closed.size(); i++) {
      close(closed.get(i), results.get(i), out);
    }
    if (fired == null || expired == null) {
      closed.forEach(panes::delete);
      return done && (early == null || early.advance(newWatermark, budget, out));
    }
    if (!closed.isEmpty()) {
      fired.upTo(closed.getLast());
    }
    return done
        && (early == null || early.advance(newWatermark, budget, out))
        && expired.take(places.lastGone(newWatermark), budget, this::forget);
  }

  /// @param result null if it was passed over
  private void close(Bytes place, @Nullable Object result, RowSink out) {
    if (result == null) {
      if (fired != null) {
        fired.passOver(place);
      }
    } else {
      out.begins(place);
    }
    if (early != null) {
      early.close(place, result, out);
    } else if (result != null) {
      windowRows.emit(place, result, out);
    }
  }

  private void forget(Bytes place) {
    panes.delete(place);
    if (fired != null) {
      fired.forget(place);
    }
  }

  /// What was emitted of a pane.
  private @Nullable Object emitted(Bytes storeKey) {
    return fired != null && fired.wasPassedOver(storeKey) ? null : result(storeKey);
  }

  @Override
  public Due due(Bytes place) {
    Bytes pane = EarlyResults.pane(place);
    Bytes key = places.rowKey(pane, new Bytes());
    return new Due(place, "result", key, WindowRows.time(places.window(pane)), places.window(pane));
  }

  @Override
  public @Nullable Bytes kept(Bytes place) {
    return panes.kept(EarlyResults.pane(place));
  }

  private @Nullable Object result(Bytes storeKey) {
    V pane = panes.store().get(storeKey);
    return pane == null ? null : result(storeKey, pane);
  }

  private Object result(Bytes storeKey, V pane) {
    return panes.result(places.window(storeKey), storeKey, pane);
  }

  @Override
  public void close() {
    context = null;
    panes.close();
    late.close();
    if (early != null) {
      early.close();
    }
    due = null;
    expired = null;
    fired = null;
  }
}

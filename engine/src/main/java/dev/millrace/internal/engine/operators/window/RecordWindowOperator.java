package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Window;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.WindowResult;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.FoldedPanes;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.Notes;
import dev.millrace.internal.engine.operators.rows.Panes;
import dev.millrace.internal.engine.operators.rows.RetainedPanes;
import dev.millrace.internal.engine.operators.window.RecordWindow.Shown;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Windows of a key that end after so many rows, or with the input, whatever the rows' times are.
/// Early results come after so many rows, or when event time has moved on.
///
/// For each window there is a note at the end of time, and one at the time of its next early
/// result.
///
/// @param <V> the panes as they are kept, by row key
public final class RecordWindowOperator<V> implements Operator {
  private static final long THE_END = AlignedWindows.FARTHEST;

  private final Panes<V> panes;
  private final Ends ends;
  private final StoreSpec<Bytes, RecordWindow> openSpec;
  private final StoreSpec<Bytes, Boolean> noteSpec;
  private final Serde<Object> keySerde;
  private final TimeKey timeKey = new TimeKey();
  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, RecordWindow> open;
  private @Nullable KeyValueStore<Bytes, Boolean> noted;
  private @Nullable Notes notes;

  private RecordWindowOperator(
      Panes<V> panes,
      Ends ends,
      StoreSpec<Bytes, RecordWindow> openSpec,
      StoreSpec<Bytes, Boolean> noteSpec,
      Serde<Object> keySerde) {
    this.panes = panes;
    this.ends = ends;
    this.openSpec = openSpec;
    this.noteSpec = noteSpec;
    this.keySerde = keySerde;
  }

  /// When windows end and results come.
  ///
  /// @param rows of a window; `Long.MAX_VALUE` for all there are
  /// @param earlyRows 0 for no early results by number
  /// @param earlyMillis 0 for none by time
  private record Ends(long rows, long earlyRows, long earlyMillis) {
    static Ends of(Windows windows) {
      Windows.Timing timing = windows.timing();
      long rows = windows instanceof Windows.Counted counted ? counted.records() : Long.MAX_VALUE;
      return new Ends(rows, timing.earlyRecords(), timing.earlyEvery().toMillis());
    }
  }

  /// Windows that keep an aggregate.
  ///
  /// @param windows of a number of records, or of all
  /// @param keys of the rows
  public static Declaration folding(
      String name,
      Windows windows,
      Aggregation aggregation,
      Serde<Object> keys,
      Serde<Object> results) {
    Panes.Declared panes =
        FoldedPanes.declare(name, aggregation, KeyBytesSerde.plain(keys), results);
    return declare(name, windows, keys, panes, results);
  }

  /// Windows that keep all values.
  ///
  /// @param windows of a number of records, or of all
  /// @param keys of the rows
  /// @param values of the rows
  /// @param results serde of the function's results
  public static Declaration retaining(
      String name,
      Windows windows,
      WindowFunction<Object, Object> function,
      Serde<Object> keys,
      Serde<Object> values,
      Serde<Object> results) {
    Panes.Declared panes = RetainedPanes.declare(name, function, KeyBytesSerde.plain(keys), values);
    return declare(name, windows, keys, panes, results);
  }

  private static Declaration declare(
      String name,
      Windows windows,
      Serde<Object> keys,
      Panes.Declared panes,
      Serde<Object> results) {
    StoreSpec<Bytes, RecordWindow> open =
        KeyBytesSerde.plain(keys).spec(name + "-open", new RecordWindow.Format(results));
    StoreSpec<Bytes, Boolean> notes = Notes.spec(name + "-times", keys);
    List<StoreSpec<?, ?>> stores = new ArrayList<>(panes.stores());
    stores.add(open);
    stores.add(notes);
    Ends ends = Ends.of(windows);
    return new Declaration(
        () -> new RecordWindowOperator<>(panes.factory().create(), ends, open, notes, keys),
        stores,
        Parameters.of("windows of records"),
        windows.timing().isEarly() ? Declaration.FOREVER : 0);
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    panes.open(opened);
    open = opened.store(openSpec);
    noted = opened.store(noteSpec);
    notes = new Notes(noted);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    long watermark = Opened.store(context).watermark();
    panes.ahead().loadKeysOf(rows);
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      long time = AlignedWindows.requireNear(rows.timestamp());
      panes.add(key, panes.find(key), rows);
      RecordWindow before = open().get(key);
      if (before == null) {
        note(key, THE_END);
      }
      RecordWindow now = before == null ? RecordWindow.begun(time) : before.with(time);
      if (now.rows() == ends.rows) {
        end(key, now, now.last(), out);
        Opened.store(noted).delete(timeKey.of(THE_END, key));
        continue;
      }
      if (ends.earlyRows > 0 && now.unshown() >= ends.earlyRows) {
        now = show(key, now, now.last(), out);
      }
      if (ends.earlyMillis > 0 && !now.noted()) {
        long from = watermark == Long.MIN_VALUE ? time : watermark;
        note(key, from - Math.floorMod(from, ends.earlyMillis) + ends.earlyMillis);
        now = now.withNote(true);
      }
      open().put(key, now);
    }
  }

  private KeyValueStore<Bytes, RecordWindow> open() {
    return Opened.store(open);
  }

  private void note(Bytes key, long time) {
    Opened.store(notes).put(timeKey.of(time, key));
  }

  /// Emits a window's result as it is now, in the place of the one before.
  private RecordWindow show(Bytes key, RecordWindow window, long time, RowSink out) {
    Object result = panes.result(span(window.first(), window.last()), key, pane(key));
    Shown before = window.shown();
    Shown now = new Shown(window.first(), window.last(), time, result);
    if (before != null && before.isSame(now)) {
      return window.withShown(before);
    }
    if (before != null) {
      out.retract(key, row(key, before), before.time());
    }
    out.emit(key, row(key, now), now.time());
    return window.withShown(now);
  }

  private V pane(Bytes key) {
    V pane = panes.store().get(key);
    if (pane == null) {
      throw new IllegalStateException("A window counts records and stores none of them.");
    }
    return pane;
  }

  private Object row(Bytes key, Shown shown) {
    return new WindowResult<>(
        span(shown.first(), shown.last()), Opened.object(keySerde, key), shown.result());
  }

  private static Window span(long first, long last) {
    return new Window(Instant.ofEpochMilli(first), Instant.ofEpochMilli(last + 1));
  }

  private void end(Bytes key, RecordWindow window, long time, RowSink out) {
    show(key, window, time, out);
    forget(key);
  }

  private void forget(Bytes key) {
    panes.delete(key);
    open().delete(key);
  }

  @Override
  public Due due(Bytes place) {
    Bytes key = TimeKey.rowKey(place, new Bytes());
    RecordWindow window = open().get(key);
    return window == null
        ? Due.at(place, "result")
        : new Due(place, "result", key, window.last(), span(window.first(), window.last()));
  }

  @Override
  public @Nullable Bytes kept(Bytes place) {
    return panes.kept(TimeKey.rowKey(place, new Bytes()));
  }

  @Override
  public boolean advance(long newWatermark, int budget, RowSink out) {
    long before = Opened.store(context).watermark();
    return Opened.store(notes)
        .take(
            newWatermark,
            budget,
            (view, time) -> {
              Bytes key = view.copy();
              RecordWindow window = open().get(key);
              if (window == null) {
                return; // ended with its last row, and its note for an early result was left
              }
              boolean shows = time == THE_END || newWatermark < THE_END;
              boolean begins = shows && out.begins(timeKey.of(time, key).copy());
              if (time == THE_END && begins) {
                end(key, window, Math.max(window.last(), before), out);
              } else if (time == THE_END) {
                forget(key);
              } else if (shows && !begins) {
                open().put(key, window.withNote(false));
              } else if (newWatermark < THE_END) {
                RecordWindow shown = show(key, window, Math.max(window.last(), time - 1), out);
                open().put(key, shown.withNote(false));
              }
            });
  }

  @Override
  public void close() {
    context = null;
    panes.close();
    open = null;
    noted = null;
    notes = null;
  }
}

package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.Window;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.WindowResult;
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
import dev.millrace.internal.engine.operators.rows.Changes;
import dev.millrace.internal.engine.operators.rows.LateRows;
import dev.millrace.internal.engine.operators.rows.TimedRows;
import dev.millrace.internal.engine.operators.rows.TimedRows.Found;
import dev.millrace.spi.job.LateRecords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Windows of which one ends with each row: its result is of all rows of the key that are at most a
/// size before it, and goes on its way when the watermark has passed the row. Rows of one time
/// share theirs.
///
/// A row is kept until no window needs it any more. A late one changes the windows behind it, and
/// has one of its own if that is not gone. Where aggregates can be joined, a window with many rows
/// is joined from [parts][SlidingParts] that it shares with those before and behind it.
public final class SlidingWindowOperator implements Operator {
  /// Windows with no more rows are computed from these alone.
  private static final int FEW_ROWS = 64;

  private final TimedRows rows;
  private final @Nullable SlidingParts parts;
  private final Span span;
  private final Serde<Object> keySerde;
  private final WindowFunction<Object, Object> function;
  private final LateRows late;
  private final Changes corrections = new Changes(this::emitted, this::result);
  private final TimeKey timeKey = new TimeKey();
  private @Nullable OperatorContext context;

  private SlidingWindowOperator(
      TimedRows rows,
      @Nullable SlidingParts parts,
      Span span,
      Serde<Object> keySerde,
      WindowFunction<Object, Object> function,
      LateRows late) {
    this.rows = rows;
    this.parts = parts;
    this.span = span;
    this.keySerde = keySerde;
    this.function = function;
    this.late = late;
  }

  /// The operator as a topology carries it.
  ///
  /// @param keys of the rows
  /// @param values of the rows
  public static Declaration declare(
      String name,
      long sizeMillis,
      long latenessMillis,
      WindowFunction<Object, Object> function,
      Serde<Object> keys,
      Serde<Object> values) {
    return declare(name, new Span(sizeMillis, latenessMillis), function, null, keys, values);
  }

  /// Results that can be joined.
  ///
  /// @param ofAll gives what the aggregation comes to, of all values at once
  /// @param aggregation one that merges
  /// @param changing whether rows may be taken back; then it is one that removes
  /// @param serde how results are kept
  public record Folded(
      WindowFunction<Object, Object> ofAll,
      Aggregation aggregation,
      boolean changing,
      Serde<Object> serde) {}

  /// The operator for results that can be joined.
  public static Declaration folding(
      String name,
      long sizeMillis,
      long latenessMillis,
      Folded results,
      Serde<Object> keys,
      Serde<Object> values) {
    Span span = new Span(sizeMillis, latenessMillis);
    SlidingParts.Spec parts =
        SlidingParts.Spec.of(
            name, sizeMillis, results.aggregation, results.changing, keys, results.serde);
    return declare(name, span, results.ofAll, parts, keys, values);
  }

  private static Declaration declare(
      String name,
      Span span,
      WindowFunction<Object, Object> function,
      SlidingParts.@Nullable Spec parts,
      Serde<Object> keys,
      Serde<Object> values) {
    TimedRows.Spec spec = TimedRows.Spec.of(name, keys, values);
    StoreSpec<Long, LateRecords> late = LateRows.spec(name);
    List<StoreSpec<?, ?>> stores = new ArrayList<>(spec.all());
    stores.add(late);
    if (parts != null) {
      stores.add(parts.store());
    }
    return new Declaration(
        () ->
            new SlidingWindowOperator(
                new TimedRows(spec),
                parts == null ? null : new SlidingParts(parts),
                span,
                keys,
                function,
                new LateRows(late)),
        stores,
        Parameters.of("sliding windows"),
        span.latenessMillis);
  }

  /// The times of windows, which are told apart by the time of the rows they end with.
  private record Span(long sizeMillis, long latenessMillis) {
    long start(long last) {
      return last - sizeMillis + 1;
    }

    /// The last window that may hold a row.
    long lastOf(long time) {
      return time + sizeMillis - 1;
    }

    boolean gone(long last, long watermark) {
      return last + 1 + latenessMillis <= watermark;
    }

    /// The last row that no window needs any more.
    long lastForgotten(long watermark) {
      return watermark < -AlignedWindows.FARTHEST
          ? Long.MIN_VALUE
          : watermark - sizeMillis - latenessMillis;
    }
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    late.open(opened);
    rows.open(opened, settled(opened.watermark()));
    if (parts != null) {
      parts.open(opened);
    }
  }

  /// The last time whose windows are closed.
  private static long settled(long watermark) {
    return watermark == Long.MIN_VALUE ? watermark : watermark - 1;
  }

  @Override
  public void process(RowCursor cursor, RowSink out) {
    long watermark = Opened.store(context).watermark();
    while (cursor.next()) {
      Bytes key = Opened.key(cursor);
      long time = AlignedWindows.requireNear(cursor.timestamp());
      if (span.gone(span.lastOf(time), watermark)) {
        late.tooLate(span.start(time), cursor, out);
        continue;
      }
      if (time < watermark) {
        late.corrects(span.start(time), cursor);
        correct(key, time, watermark);
      }
      Object value = Opened.value(cursor);
      if (cursor.isRetraction()) {
        rows.remove(key, time, value);
      } else {
        rows.add(key, time, value, time < watermark);
      }
      if (parts != null) {
        parts.update(key, cursor, span.lastForgotten(watermark));
      }
    }
    corrections.show((window, before, now, _) -> {
      if (before != null) {
        send(window, before, true, out);
      }
      if (now != null) {
        send(window, now, false, out);
      }
      rows.fired().forget(window);
    });
  }

  /// A row is about to change at a time that is passed: the windows that are closed and may be
  /// corrected.
  private void correct(Bytes key, long time, long watermark) {
    if (!span.gone(time, watermark)) {
      corrections.before(timeKey.of(time, key), time);
    }
    long first = Math.max(time + 1, watermark - span.latenessMillis);
    long last = Math.min(span.lastOf(time), watermark - 1);
    for (Found found : rows.find(key, first, last)) {
      corrections.before(timeKey.of(found.time(), key), time);
    }
  }

  /// The result of the window that ends with rows of that key and time; null if there are none.
  private @Nullable Object result(Bytes window) {
    long last = TimeKey.time(window);
    Bytes key = TimeKey.rowKey(window, new Bytes());
    int most = parts == null ? Integer.MAX_VALUE : FEW_ROWS;
    List<Found> found = rows.find(key, span.start(last), last, most);
    if (found == null) {
      return rows.any(key, last, last) ? joined(Opened.store(parts), key, last) : null;
    }
    if (found.isEmpty() || found.getLast().time() < last) {
      return null;
    }
    return ofAll(found, last);
  }

  private Object ofAll(List<Found> found, long last) {
    List<Object> values = new ArrayList<>();
    found.forEach(each -> values.addAll(each.values()));
    return Objects.requireNonNull(
        function.apply(window(last), Collections.unmodifiableList(values)),
        "The function returned null; a result is never null.");
  }

  /// The result of a window with many rows, of which one is at its end: of those before its first
  /// part, of its parts, and of those behind them.
  private Object joined(SlidingParts all, Bytes key, long last) {
    long from = all.next(span.start(last));
    long to = Math.max(from, all.begin(last));
    List<Found> head = rows.find(key, span.start(last), from - 1);
    List<Found> tail = rows.find(key, to, last);
    Object before = head.isEmpty() ? null : ofAll(head, last);
    return all.merge(all.merged(before, window(last), key, from, to), ofAll(tail, last));
  }

  /// What was emitted of a window.
  private @Nullable Object emitted(Bytes window) {
    return rows.fired().wasPassedOver(window) ? null : result(window);
  }

  @Override
  public Due due(Bytes place) {
    long last = TimeKey.time(place);
    return Due.result(place, TimeKey.rowKey(place, new Bytes()), window(last));
  }

  private Window window(long last) {
    return new Window(Instant.ofEpochMilli(span.start(last)), Instant.ofEpochMilli(last + 1));
  }

  private void send(Bytes window, Object result, boolean goes, RowSink out) {
    long last = TimeKey.time(window);
    Bytes key = TimeKey.rowKey(window, new Bytes());
    Object row = new WindowResult<>(window(last), Opened.object(keySerde, key), result);
    if (goes) {
      out.retract(key, row, last);
    } else {
      out.emit(key, row, last);
    }
  }

  @Override
  public boolean advance(long newWatermark, int budget, RowSink out) {
    boolean done =
        rows.settle(
            settled(newWatermark),
            budget,
            (window, _, _) -> {
              if (out.begins(window)) {
                send(window, Objects.requireNonNull(result(window)), false, out);
              } else {
                rows.fired().passOver(window);
              }
            });
    return done && rows.forget(span.lastForgotten(newWatermark), budget, this::forget);
  }

  private void forget(Bytes key, long time) {
    rows.delete(key, time);
    if (parts != null) {
      parts.forget(key, time);
    }
  }

  @Override
  public void close() {
    context = null;
    late.close();
    rows.close();
    if (parts != null) {
      parts.close();
    }
  }
}

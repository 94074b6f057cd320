package dev.millrace.internal.engine.operators.table;

import dev.millrace.api.Window;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.rows.Changes;
import dev.millrace.internal.engine.operators.rows.Panes;
import dev.millrace.internal.engine.operators.rows.Version;
import dev.millrace.internal.engine.operators.rows.Versions;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// [TableOperator] for rows whose order decides, and that are taken back at their own times: keeps
/// the rows of a key in the order of event time, and those of one time in the order in which they
/// came. So the correction of an old window stands where its result stood, and does not become the
/// newest.
///
/// For the latest row alone the older ones need not stay: when nothing may be taken back any more
/// up to a time, of each key only the last row before it is kept. What comes even later changes
/// nothing if a newer row is known.
public final class OrderedTableOperator implements Operator {
  private static final Window NONE = new Window(Instant.MIN, Instant.MAX);

  private final Versions rows;

  /// Makes the result of all rows; null if it is the latest.
  private final @Nullable WindowFunction<Object, Object> function;

  private final long takenBackMillis;
  private final Changes changes = new Changes(this::result);
  private @Nullable OperatorContext context;

  private OrderedTableOperator(
      Versions rows, @Nullable WindowFunction<Object, Object> function, long takenBackMillis) {
    this.rows = rows;
    this.function = function;
    this.takenBackMillis = takenBackMillis;
  }

  /// A table of the latest row of each key.
  ///
  /// @param takenBackMillis for how long behind its time, in event time, a row may be taken back
  /// @param keys of the rows
  /// @param values of the rows
  public static Declaration latest(
      String name, long takenBackMillis, Serde<Object> keys, Serde<Object> values) {
    return takenBackMillis >= Declaration.FOREVER
        ? declare(Versions.Spec.lasting(name, keys, values), null, takenBackMillis)
        : declare(Versions.Spec.of(name, keys, values), null, takenBackMillis);
  }

  /// A table of what a function makes of all rows of a key.
  ///
  /// @param function gets a window that says nothing
  /// @param keys of the rows
  /// @param values of the rows
  public static Declaration retaining(
      String name,
      WindowFunction<Object, Object> function,
      Serde<Object> keys,
      Serde<Object> values) {
    return declare(Versions.Spec.lasting(name, keys, values), function, Declaration.FOREVER);
  }

  private static Declaration declare(
      Versions.Spec spec, @Nullable WindowFunction<Object, Object> function, long takenBackMillis) {
    return new Declaration(
        () -> new OrderedTableOperator(new Versions(spec), function, takenBackMillis),
        spec.all(),
        Parameters.of("ordered table").withMillis("rows may be taken back for", takenBackMillis),
        Declaration.FOREVER);
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    rows.open(opened);
  }

  @Override
  public void process(RowCursor cursor, RowSink out) {
    OperatorContext opened = Opened.store(context);
    long gone = Versions.gone(opened.watermark(), takenBackMillis);
    while (cursor.next()) {
      Bytes key = Opened.key(cursor);
      long time = AlignedWindows.requireNear(cursor.timestamp());
      boolean goes = cursor.isRetraction();
      if (gone != Long.MIN_VALUE && (goes ? time : rows.nextAfter(key, time)) <= gone) {
        opened.late(cursor);
        continue;
      }
      changes.before(key, time);
      Version row = new Version(cursor.value());
      if (!goes) {
        rows.add(key, time, row);
      } else if (!rows.remove(key, time, row) && !rows.removeNewest(key, row)) {
        throw Panes.nothingToTakeBack();
      }
    }
    changes.emit(out);
  }

  private @Nullable Object result(Bytes key) {
    WindowFunction<Object, Object> made = function;
    if (made == null) {
      return rows.at(key, Long.MAX_VALUE).value();
    }
    List<Object> all = rows.all(key);
    return all.isEmpty()
        ? null
        : Objects.requireNonNull(
            made.apply(NONE, Collections.unmodifiableList(all)),
            "The function returned null; a result is never null.");
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return takenBackMillis >= Declaration.FOREVER
        || rows.forget(Versions.gone(watermark, takenBackMillis), budget);
  }

  @Override
  public void close() {
    context = null;
    rows.close();
  }
}

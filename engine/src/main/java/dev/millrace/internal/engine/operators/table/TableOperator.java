package dev.millrace.internal.engine.operators.table;

import dev.millrace.api.Window;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.rows.Changes;
import dev.millrace.internal.engine.operators.rows.FoldedPanes;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.Panes;
import dev.millrace.internal.engine.operators.rows.RetainedPanes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// [AggregateOperator] for rows that may be taken back: keeps one pane a key, and for all rows of a
/// batch takes back the key's old result and emits its new one, at the latest of their event times.
/// A key without any rows has no result.
///
/// @param <V> the panes as they are kept
public final class TableOperator<V> implements Operator {
  private static final Window NONE = new Window(Instant.MIN, Instant.MAX);

  private final Panes<V> panes;
  private final Changes changes = new Changes(this::result);

  private TableOperator(Panes<V> panes) {
    this.panes = panes;
  }

  /// A table that keeps an aggregate a key.
  ///
  /// @param aggregation one that removes
  /// @param keys of the rows
  public static Declaration folding(
      String name, Aggregation aggregation, Serde<Object> keys, Serde<Object> aggregates) {
    return declare(FoldedPanes.declare(name, aggregation, KeyBytesSerde.plain(keys), aggregates));
  }

  /// A table that keeps all values of a key.
  ///
  /// @param function gets a window that says nothing
  /// @param keys of the rows
  /// @param values of the rows
  public static Declaration retaining(
      String name,
      WindowFunction<Object, Object> function,
      Serde<Object> keys,
      Serde<Object> values) {
    return declare(RetainedPanes.declare(name, function, KeyBytesSerde.plain(keys), values));
  }

  private static Declaration declare(Panes.Declared panes) {
    return new Declaration(
        () -> new TableOperator<>(panes.factory().create()),
        panes.stores(),
        Parameters.of("table of rows"),
        Declaration.FOREVER);
  }

  @Override
  public void open(OperatorContext context) {
    panes.open(context);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    panes.ahead().loadKeysOf(rows);
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      changes.before(key, rows.timestamp());
      V pane = panes.find(key);
      if (rows.isRetraction()) {
        panes.remove(key, pane, rows);
      } else {
        panes.add(key, pane, rows);
      }
    }
    changes.emit(out);
  }

  private @Nullable Object result(Bytes key) {
    V pane = panes.store().get(key);
    return pane == null ? null : panes.result(NONE, key, pane);
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public void close() {
    panes.close();
  }
}

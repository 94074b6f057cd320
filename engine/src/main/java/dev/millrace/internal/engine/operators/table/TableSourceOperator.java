package dev.millrace.internal.engine.operators.table;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps the latest value of each key; a row without a value deletes it. For each row it takes the
/// old value back, if there was one, and emits the new one.
public final class TableSourceOperator implements Operator {
  private final StoreSpec<Bytes, Object> spec;
  private @Nullable KeyValueStore<Bytes, Object> store;
  private @Nullable ReadAhead ahead;

  private TableSourceOperator(StoreSpec<Bytes, Object> spec) {
    this.spec = spec;
  }

  /// The operator as a topology carries it.
  ///
  /// @param keys of the rows
  /// @param values of the rows
  public static Declaration declare(String name, Serde<Object> keys, Serde<Object> values) {
    StoreSpec<Bytes, Object> spec = KeyBytesSerde.plain(keys).spec(name, values);
    return new Declaration(
        () -> new TableSourceOperator(spec),
        List.of(spec),
        Parameters.of("table"),
        Declaration.FOREVER);
  }

  @Override
  public void open(OperatorContext context) {
    store = context.store(spec);
    ahead = context.readAhead(spec);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    Opened.store(ahead).loadKeysOf(rows);
    KeyValueStore<Bytes, Object> values = Opened.store(store);
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      Object old = values.get(key);
      if (old != null) {
        out.retract(key, old, rows.timestamp());
      }
      if (rows.hasValue()) {
        Object value = Opened.value(rows);
        values.put(key, value);
        out.emit(value, rows.timestamp());
      } else if (old != null) {
        values.delete(key);
      }
    }
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public void close() {
    store = null;
    ahead = null;
  }
}

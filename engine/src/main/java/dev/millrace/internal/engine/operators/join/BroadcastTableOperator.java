package dev.millrace.internal.engine.operators.join;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps the latest value of each key; a row without a value deletes it. It emits nothing: the
/// operators behind it read its store, see [BroadcastJoinOperator].
public final class BroadcastTableOperator implements Operator {
  private final StoreSpec<Bytes, Object> spec;
  private @Nullable KeyValueStore<Bytes, Object> store;

  private BroadcastTableOperator(StoreSpec<Bytes, Object> spec) {
    this.spec = spec;
  }

  /// The store of a table.
  ///
  /// @param keys of the rows
  /// @param values of the rows
  public static StoreSpec<Bytes, Object> store(
      String name, Serde<Object> keys, Serde<Object> values) {
    return KeyBytesSerde.plain(keys).spec(name, values);
  }

  /// The operator as a topology carries it.
  public static Declaration declare(StoreSpec<Bytes, Object> store) {
    return new Declaration(
        () -> new BroadcastTableOperator(store), List.of(store), Parameters.of("broadcast table"));
  }

  @Override
  public void open(OperatorContext context) {
    store = context.store(spec);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    KeyValueStore<Bytes, Object> values = Opened.store(store);
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      if (rows.hasValue()) {
        values.put(key, Opened.value(rows));
      } else {
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
  }
}

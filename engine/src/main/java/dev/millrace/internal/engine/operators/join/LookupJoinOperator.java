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
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.rows.JoinFunction;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Joins the rows of a stream, its first input, with what a table, its second, has for their key
/// when they come: a result for each row, at its time. What becomes of the table later changes
/// nothing.
public final class LookupJoinOperator implements Operator {
  private final StoreSpec<Bytes, Object> spec;
  private final JoinFunction joiner;
  private @Nullable KeyValueStore<Bytes, Object> store;
  private @Nullable ReadAhead ahead;

  private LookupJoinOperator(StoreSpec<Bytes, Object> spec, JoinFunction joiner) {
    this.spec = spec;
    this.joiner = joiner;
  }

  /// The operator as a topology carries it.
  ///
  /// @param keys of the rows
  /// @param values of the table
  /// @param joiner gets the row's value and the table's, or null if it has none; a row for which it
  ///   returns null has no result
  public static Declaration declare(
      String name, Serde<Object> keys, Serde<Object> values, JoinFunction joiner) {
    StoreSpec<Bytes, Object> spec = KeyBytesSerde.plain(keys).spec(name, values);
    return new Declaration(
            () -> new LookupJoinOperator(spec, joiner), List.of(spec), Parameters.of("lookup join"))
        .waitingForTable();
  }

  @Override
  public void open(OperatorContext context) {
    store = context.store(spec);
    ahead = context.readAhead(spec);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    throw new IllegalStateException("A join has several inputs.");
  }

  @Override
  public void process(int input, RowCursor rows, RowSink out) {
    Opened.store(ahead).loadKeysOf(rows);
    KeyValueStore<Bytes, Object> values = Opened.store(store);
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      if (input == 1) {
        change(values, key, rows);
      } else {
        Object result = joiner.join(rows.value(), values.get(key));
        if (result != null) {
          out.emit(result, rows.timestamp());
        }
      }
    }
  }

  /// An old value that is taken back is followed by the new one, if there is one.
  private static void change(KeyValueStore<Bytes, Object> values, Bytes key, RowCursor row) {
    if (row.isRetraction()) {
      values.delete(key);
    } else {
      values.put(key, Opened.value(row));
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

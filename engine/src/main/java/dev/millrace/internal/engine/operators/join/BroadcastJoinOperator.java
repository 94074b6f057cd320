package dev.millrace.internal.engine.operators.join;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Joins the rows of a stream, its first input, with what a broadcast table, its second, has for a
/// key that each row's value gives: a result for each row, at its time. The table is read from the
/// store of its own operator, so no row comes from there.
public final class BroadcastJoinOperator implements Operator {
  private final StoreSpec<Bytes, Object> table;
  private final Serde<Object> keySerde;
  private final Mapper<Object, Object> keyOf;
  private final JoinFunction joiner;
  private final BytesWriter writer = new BytesWriter(64);
  private final Bytes view = new Bytes();
  private @Nullable KeyValueStore<Bytes, Object> store;
  private @Nullable ReadAhead ahead;

  private BroadcastJoinOperator(
      StoreSpec<Bytes, Object> table,
      Serde<Object> keySerde,
      Mapper<Object, Object> keyOf,
      JoinFunction joiner) {
    this.table = table;
    this.keySerde = keySerde;
    this.keyOf = keyOf;
    this.joiner = joiner;
  }

  /// The operator as a topology carries it.
  ///
  /// @param table the store of the table's operator
  /// @param keys of the table
  /// @param keyOf gives the key to look up from a row's value, or null if there is none
  /// @param joiner gets the row's value and the table's, or null if it has none; a row for which it
  ///   returns null has no result
  public static Declaration declare(
      StoreSpec<Bytes, Object> table,
      Serde<Object> keys,
      Mapper<Object, Object> keyOf,
      JoinFunction joiner) {
    return new Declaration(
            () -> new BroadcastJoinOperator(table, keys, keyOf, joiner),
            List.<StoreSpec<?, ?>>of(),
            Parameters.of("broadcast join"))
        .waitingForTable();
  }

  @Override
  public void open(OperatorContext context) {
    store = context.store(table);
    ahead = context.readAhead(table);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    throw new IllegalStateException("A join has several inputs.");
  }

  @Override
  public void process(int input, RowCursor rows, RowSink out) {
    if (input != 0) {
      throw new IllegalStateException("A broadcast table emits no rows.");
    }
    load(rows);
    KeyValueStore<Bytes, Object> values = Opened.store(store);
    while (rows.next()) {
      Object value = rows.value();
      Bytes key = key(value);
      Object result = joiner.join(value, key == null ? null : values.get(key));
      if (result != null) {
        out.emit(result, rows.timestamp());
      }
    }
  }

  private void load(RowCursor rows) {
    ReadAhead reads = Opened.store(ahead);
    if (reads.pays()) {
      while (rows.next()) {
        Bytes key = key(rows.value());
        if (key != null) {
          reads.want(key);
        }
      }
      rows.rewind();
      reads.load();
    }
  }

  /// Valid until it is called again.
  private @Nullable Bytes key(Object value) {
    Object key = keyOf.map(value);
    if (key == null) {
      return null;
    }
    keySerde.write(key, writer.clear());
    return writer.view(view, 0);
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

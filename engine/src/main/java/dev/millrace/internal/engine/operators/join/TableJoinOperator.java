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
import dev.millrace.internal.engine.operators.rows.Changes;
import dev.millrace.internal.engine.operators.rows.JoinFunction;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.Panes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Joins tables by key: keeps each side's value of a key, and for all rows of a batch takes the old
/// result of a key back and emits the new one, at the latest of their event times.
public final class TableJoinOperator implements Operator {
  private final List<StoreSpec<Bytes, Object>> specs;
  private final JoinFunction joiner;
  private final List<KeyValueStore<Bytes, Object>> sides = new ArrayList<>();
  private final List<ReadAhead> aheads = new ArrayList<>();
  private final Changes changes = new Changes(this::result);

  private TableJoinOperator(List<StoreSpec<Bytes, Object>> specs, JoinFunction joiner) {
    this.specs = specs;
    this.joiner = joiner;
  }

  /// The operator as a topology carries it; a store a side, called `<name>-<number from 1>`.
  ///
  /// @param keys of the rows
  /// @param values of the rows of each side
  public static Declaration declare(
      String name, Serde<Object> keys, List<Serde<Object>> values, JoinFunction joiner) {
    List<StoreSpec<Bytes, Object>> specs = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      specs.add(KeyBytesSerde.plain(keys).spec(name + "-" + (i + 1), values.get(i)));
    }
    return new Declaration(
        () -> new TableJoinOperator(specs, joiner),
        List.copyOf(specs),
        Parameters.of("table join"),
        Declaration.FOREVER);
  }

  @Override
  public void open(OperatorContext context) {
    for (StoreSpec<Bytes, Object> spec : specs) {
      sides.add(context.store(spec));
      aheads.add(context.readAhead(spec));
    }
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    throw new IllegalStateException("A join has several inputs.");
  }

  @Override
  public void process(int input, RowCursor rows, RowSink out) {
    aheads.forEach(ahead -> ahead.loadKeysOf(rows));
    KeyValueStore<Bytes, Object> side = sides.get(input);
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      changes.before(key, rows.timestamp());
      if (!rows.isRetraction()) {
        side.put(key, Opened.value(rows));
      } else if (side.get(key) == null) {
        throw Panes.nothingToTakeBack();
      } else {
        side.delete(key);
      }
    }
    changes.emit(out);
  }

  private @Nullable Object result(Bytes key) {
    return joiner.join(sides.get(0).get(key), sides.get(1).get(key));
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public void close() {
    sides.clear();
    aheads.clear();
  }
}

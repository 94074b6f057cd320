package dev.millrace.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Joins tables by key: keeps each side's value of a key, and for all rows of a batch takes the old
/// result of a key back and emits the new one, at the latest of their event times.
public final class TableJoinOperator implements Operator {
  private final List<StoreSpec<Bytes, Object>> specs;
  private final Joiner joiner;
  private final List<KeyValueStore<Bytes, Object>> sides = new ArrayList<>();
  private final List<ReadAhead> aheads = new ArrayList<>();
  private final Map<Bytes, Change> changes = new LinkedHashMap<>();

  /// What becomes of the values that the sides have for a key. Shared by all tasks.
  @FunctionalInterface
  public interface Joiner {
    /// @param values null where a side has none
    /// @return null if the key has no result
    @Nullable Object join(@Nullable Object[] values);
  }

  private TableJoinOperator(List<StoreSpec<Bytes, Object>> specs, Joiner joiner) {
    this.specs = specs;
    this.joiner = joiner;
  }

  /// The operator as a topology carries it; a store a side, called `<name>-<number from 1>`.
  ///
  /// @param keys of the rows
  /// @param values of the rows of each side
  public static Declaration declare(
      String name, Serde<Object> keys, List<Serde<Object>> values, Joiner joiner) {
    List<StoreSpec<Bytes, Object>> specs = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      specs.add(KeyBytesSerde.plain(keys).spec(name + "-" + (i + 1), values.get(i)));
    }
    return new Declaration(
        () -> new TableJoinOperator(specs, joiner), List.copyOf(specs), Declaration.FOREVER);
  }

  /// What becomes of a key in a batch.
  private static final class Change {
    private final @Nullable Object before;
    private long timestamp = Long.MIN_VALUE;

    Change(@Nullable Object before) {
      this.before = before;
    }
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
      Change change = changes.get(key);
      if (change == null) {
        change = new Change(result(key));
        changes.put(key.copy(), change);
      }
      change.timestamp = Math.max(change.timestamp, rows.timestamp());
      if (!rows.isRetraction()) {
        Object value = rows.value();
        side.put(key, value instanceof Bytes view ? view.copy() : value);
      } else if (side.get(key) == null) {
        throw Panes.nothingToTakeBack();
      } else {
        side.delete(key);
      }
    }
    changes.forEach((key, change) -> emit(key, change, out));
    changes.clear();
  }

  private @Nullable Object result(Bytes key) {
    @Nullable Object[] values = new @Nullable Object[sides.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = sides.get(i).get(key);
    }
    return joiner.join(values);
  }

  private void emit(Bytes key, Change change, RowSink out) {
    Object result = result(key);
    if (change.before != null && change.before.equals(result)) {
      return;
    }
    if (change.before != null) {
      out.retract(key, change.before, change.timestamp);
    }
    if (result != null) {
      out.emit(key, result, change.timestamp);
    }
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public void close() {
    sides.clear();
    aheads.clear();
    changes.clear();
  }
}

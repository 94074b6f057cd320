package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Collects what an operator emits and takes back, and emits what is left of it: a row that is
/// emitted and taken back again is none.
///
/// What is taken back is looked for among the rows that were emitted for the same entry, as objects
/// of many classes, arrays among them, are equal to none but themselves. An entry of a table has
/// one row at a time: if none is equal, it is that one.
public final class NetRows implements RowSink {
  private final Function<Object, @Nullable Bytes> entries;
  private final Map<Entry, Changed> changed = new LinkedHashMap<>();

  /// All that were emitted and not taken back again, and those that take back one from before.
  private final List<Row> emitted = new ArrayList<>();

  private final List<Row> retracted = new ArrayList<>();
  private @Nullable RowCursor cursor;

  /// What a result is of: the row's key, and what the operator says besides.
  private record Entry(@Nullable Bytes key, @Nullable Bytes more) {}

  /// A result.
  private static final class Row {
    private final @Nullable Bytes key;
    private final Object value;

    /// Whether another one stands against it.
    private boolean settled;

    Row(@Nullable Bytes key, Object value) {
      this.key = key;
      this.value = value;
    }
  }

  /// What became of an entry.
  private static final class Changed {
    private final List<Row> emitted = new ArrayList<>(1);
    private final List<Row> retracted = new ArrayList<>(1);
  }

  /// @param entries see [Operator#entry]
  public NetRows(Function<Object, @Nullable Bytes> entries) {
    this.entries = entries;
  }

  /// Says from which rows the next results come.
  public void of(RowCursor rows) {
    cursor = rows;
  }

  @Override
  public void emit(Object value, long timestamp) {
    emit(Opened.store(cursor).keyBytes(), value, timestamp);
  }

  @Override
  public void emit(@Nullable Bytes keyBytes, Object value, long timestamp) {
    Row row = row(keyBytes, value);
    changed(row).emitted.add(row);
    emitted.add(row);
  }

  @Override
  public boolean wantsRetractions() {
    return true;
  }

  @Override
  public void retract(@Nullable Bytes keyBytes, Object value, long timestamp) {
    Row row = row(keyBytes, value);
    Changed of = changed(row);
    Row taken = take(of.emitted, value);
    if (taken != null) {
      taken.settled = true;
    } else {
      of.retracted.add(row);
      retracted.add(row);
    }
  }

  private static Row row(@Nullable Bytes key, Object value) {
    return new Row(key == null ? null : key.copy(), Opened.kept(value));
  }

  private Changed changed(Row row) {
    return changed.computeIfAbsent(
        new Entry(row.key, entries.apply(row.value)), _ -> new Changed());
  }

  /// Takes the row out that another one takes back; null if that is none of them.
  private static @Nullable Row take(List<Row> rows, Object value) {
    for (Row each : rows) {
      if (each.value.equals(value)) {
        rows.remove(each);
        return each;
      }
    }
    return rows.isEmpty() ? null : rows.removeLast();
  }

  /// Emits what is left: first what is taken back, then what takes its place.
  ///
  /// @return how many rows
  public int emit(long timestamp, RowSink out) {
    changed.values().forEach(NetRows::settleEqual);
    int count = 0;
    for (Row row : retracted) {
      if (!row.settled) {
        out.retract(row.key, row.value, timestamp);
        count++;
      }
    }
    for (Row row : emitted) {
      if (!row.settled) {
        out.emit(row.key, row.value, timestamp);
        count++;
      }
    }
    changed.clear();
    retracted.clear();
    emitted.clear();
    cursor = null;
    return count;
  }

  /// What an entry had before and has again is no change.
  private static void settleEqual(Changed of) {
    for (Row before : of.retracted) {
      for (Row now : of.emitted) {
        if (!now.settled && Objects.equals(before.value, now.value)) {
          before.settled = true;
          now.settled = true;
          break;
        }
      }
    }
  }
}

package dev.millrace.engine.operators;

import dev.millrace.api.serde.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Collects what an operator emits and takes back, and emits what is left of it: a row that is
/// emitted and taken back again is none.
final class NetRows implements RowSink {
  private final Map<Row, Integer> counts = new LinkedHashMap<>();
  private @Nullable RowCursor cursor;

  private record Row(@Nullable Bytes key, Object value) {}

  /// Says from which rows the next results come.
  void of(RowCursor rows) {
    cursor = rows;
  }

  @Override
  public void emit(Object value, long timestamp) {
    add(Opened.store(cursor).keyBytes(), value, 1);
  }

  @Override
  public void emit(@Nullable Bytes keyBytes, Object value, long timestamp) {
    add(keyBytes, value, 1);
  }

  @Override
  public boolean wantsRetractions() {
    return true;
  }

  @Override
  public void retract(@Nullable Bytes keyBytes, Object value, long timestamp) {
    add(keyBytes, value, -1);
  }

  private void add(@Nullable Bytes key, Object value, int count) {
    Object kept = Opened.kept(value);
    counts.merge(new Row(key == null ? null : key.copy(), kept), count, Integer::sum);
  }

  /// Emits what is left: first what is taken back, then what takes its place.
  ///
  /// @return how many rows
  int emit(long timestamp, RowSink out) {
    List<Row> added = new ArrayList<>();
    int emitted = 0;
    for (Map.Entry<Row, Integer> entry : counts.entrySet()) {
      Row row = entry.getKey();
      for (int i = entry.getValue(); i < 0; i++) {
        out.retract(row.key, row.value, timestamp);
        emitted++;
      }
      for (int i = 0; i < entry.getValue(); i++) {
        added.add(row);
      }
    }
    added.forEach(row -> out.emit(row.key, row.value, timestamp));
    counts.clear();
    cursor = null;
    return emitted + added.size();
  }
}

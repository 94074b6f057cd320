package dev.millrace.internal.engine.chain;

import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A row seen as a record; reads from the rows as long as they are valid.
class RowRecord implements Record<Object, Object> {
  Rows rows;
  int row;
  private final @Nullable Serde<Object> keySerde;
  private final Bytes keyView = new Bytes();
  private final Bytes headerView = new Bytes();

  RowRecord(Rows rows, int row, @Nullable Serde<Object> keySerde) {
    this.rows = rows;
    this.row = row;
    this.keySerde = keySerde;
  }

  @Override
  public @Nullable Object key() {
    Bytes bytes = keyBytes();
    if (bytes == null) {
      return null;
    }
    return keySerde == null ? bytes.copy() : rows.read(keySerde, bytes);
  }

  public @Nullable Bytes keyBytes() {
    return rows.key(row, keyView) ? keyView : null;
  }

  @Override
  public Object value() {
    Object value = rows.values()[row];
    // The first to ask has all rows decoded.
    rows.current = row;
    return value;
  }

  @Override
  public long timestamp() {
    return rows.timestamp(row);
  }

  @Override
  public boolean isRetraction() {
    return rows.isRetraction(row);
  }

  @Override
  public Bytes headers() {
    return headerView().copy();
  }

  private Bytes headerView() {
    return rows.headers(row, headerView) ? headerView : headerView.set(new byte[0], 0, 0);
  }

  @Override
  public byte @Nullable [] header(String name) {
    LastHeader last = new LastHeader(name);
    Headers.visit(headerView(), last);
    return last.value;
  }

  @Override
  public List<String> headerNames() {
    List<String> names = new ArrayList<>();
    Headers.visit(headerView(), (key, value) -> names.add(key));
    return names;
  }

  @Override
  public String topic() {
    return batch().split().stream();
  }

  @Override
  public int partition() {
    return batch().split().partition();
  }

  @Override
  public long offset() {
    return batch().offset(rows.origin(row));
  }

  private RecordBatch batch() {
    RecordBatch batch = rows.batch();
    if (batch == null || rows.origin(row) < 0) {
      throw new IllegalStateException(
          "This is the result of a timer or a window: it has no topic, partition or offset.");
    }
    return batch;
  }

  private static final class LastHeader implements Headers.Visitor {
    private final String name;
    private byte @Nullable [] value;

    LastHeader(String name) {
      this.name = name;
    }

    @Override
    public void header(String key, byte @Nullable [] newValue) {
      if (key.equals(name)) {
        value = newValue;
      }
    }
  }
}

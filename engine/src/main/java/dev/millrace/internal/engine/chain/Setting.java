package dev.millrace.internal.engine.chain;

import dev.millrace.api.connector.Written;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.HeaderFunction;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What an application says of the headers and timestamps of the records that a sink writes. Used
/// by one task.
final class Setting {
  private final @Nullable HeaderFunction<Object, Object> headers;
  private final @Nullable EventTime<Object> timestamp;
  private final Outgoing record;

  private Setting(
      @Nullable HeaderFunction<Object, Object> headers,
      @Nullable EventTime<Object> timestamp,
      @Nullable Serde<Object> keySerde) {
    this.headers = headers;
    this.timestamp = timestamp;
    record = new Outgoing(keySerde);
  }

  /// Nothing is said.
  static Setting nothing() {
    return new Setting(null, null, null);
  }

  /// @param keySerde of the keys that are written; null if they stay bytes
  static Setting of(Written<Object, Object> written, @Nullable Serde<Object> keySerde) {
    return new Setting(written.headers(), written.timestamp(), keySerde);
  }

  /// Whether values are looked at.
  boolean readsValues() {
    return headers != null || timestamp != null;
  }

  boolean setsHeaders() {
    return headers != null;
  }

  boolean setsTimestamps() {
    return timestamp != null;
  }

  /// The timestamp for a value, in milliseconds since 1970 (UTC).
  long timestamp(Object value) {
    return Objects.requireNonNull(timestamp).of(value).toEpochMilli();
  }

  /// Changes the headers of a row, if anything is said of them.
  ///
  /// @param key that is written; null if none is
  void setHeaders(Rows rows, int row, @Nullable Bytes key, RecordHeaders to) {
    if (headers != null) {
      headers.set(record.at(rows, row, key), to);
    }
  }

  /// A row under the key that it is written with.
  private static final class Outgoing extends RowRecord {
    private @Nullable Bytes key;

    Outgoing(@Nullable Serde<Object> keySerde) {
      super(new Rows(), -1, keySerde);
    }

    Outgoing at(Rows newRows, int newRow, @Nullable Bytes newKey) {
      rows = newRows;
      row = newRow;
      key = newKey;
      return this;
    }

    @Override
    public @Nullable Bytes keyBytes() {
      return key;
    }
  }
}

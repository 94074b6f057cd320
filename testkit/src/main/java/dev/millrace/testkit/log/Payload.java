package dev.millrace.testkit.log;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a sender gave of a record; owns its bytes, which nobody changes.
record Payload(long timestamp, byte @Nullable [] key, byte @Nullable [] value, byte[] headers) {
  /// What Kafka adds to a batch of one record, roughly.
  private static final int OVERHEAD_BYTES = 61 + 21;

  static List<Payload> copy(RecordBatch batch) {
    List<Payload> payloads = new ArrayList<>(batch.size());
    Bytes view = new Bytes();
    for (int i = 0; i < batch.size(); i++) {
      payloads.add(
          new Payload(
              batch.timestamp(i),
              batch.hasKey(i) ? batch.key(i, view).toByteArray() : null,
              batch.hasValue(i) ? batch.value(i, view).toByteArray() : null,
              batch.headers(i, view).toByteArray()));
    }
    return payloads;
  }

  /// The size by which the log decides whether it takes the record.
  int sizeBytes() {
    return OVERHEAD_BYTES
        + (key == null ? 0 : key.length)
        + (value == null ? 0 : value.length)
        + headers.length;
  }

  /// Given by the content alone, in every run.
  long contentHash() {
    long hash = timestamp;
    hash = hash * 31 + Arrays.hashCode(key);
    hash = hash * 31 + Arrays.hashCode(value);
    return hash * 31 + Arrays.hashCode(headers);
  }

  Payload at(long newTimestamp) {
    return new Payload(newTimestamp, key, value, headers);
  }

  void appendTo(RecordBatch batch, long offset) {
    batch.append(offset, timestamp);
    if (key != null) {
      batch.key(key, 0, key.length);
    }
    if (value != null) {
      batch.value(value, 0, value.length);
    }
    if (headers.length > 0) {
      batch.headers(headers, 0, headers.length);
    }
  }

  ModelRecord toRecord(long offset) {
    List<ModelRecord.Header> list = new ArrayList<>();
    Headers.visit(
        Bytes.of(headers),
        (name, content) ->
            list.add(new ModelRecord.Header(name, content == null ? null : Bytes.of(content))));
    return new ModelRecord(offset, timestamp, copyOf(key), copyOf(value), list);
  }

  private static @Nullable Bytes copyOf(byte @Nullable [] bytes) {
    return bytes == null ? null : Bytes.of(bytes).copy();
  }
}

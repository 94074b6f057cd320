package dev.millrace.testkit.log;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A record as tests look at it; owns its bytes. Equal if everything in it is.
///
/// @param timestamp milliseconds since 1970 (UTC)
public record ModelRecord(
    long offset, long timestamp, @Nullable Bytes key, @Nullable Bytes value, List<Header> headers) {

  public ModelRecord {
    headers = List.copyOf(headers);
  }

  /// Copies of the records of a batch, in order.
  public static List<ModelRecord> listOf(RecordBatch batch) {
    List<ModelRecord> records = new ArrayList<>(batch.size());
    List<Payload> payloads = Payload.copy(batch);
    for (int i = 0; i < payloads.size(); i++) {
      records.add(payloads.get(i).toRecord(batch.offset(i)));
    }
    return records;
  }

  /// The key read as UTF-8.
  public @Nullable String keyText() {
    return key == null ? null : key.toUtf8();
  }

  /// The value read as UTF-8.
  public @Nullable String valueText() {
    return value == null ? null : value.toUtf8();
  }

  @Override
  public String toString() {
    return offset + ": " + text(key) + "=" + text(value) + " @" + timestamp + headers;
  }

  private static String text(@Nullable Bytes bytes) {
    if (bytes == null) {
      return "null";
    }
    for (int i = 0; i < bytes.length(); i++) {
      if (bytes.get(i) < ' ') {
        return "0x" + bytes;
      }
    }
    return bytes.toUtf8();
  }

  /// A header of a record.
  public record Header(String name, @Nullable Bytes value) {}
}

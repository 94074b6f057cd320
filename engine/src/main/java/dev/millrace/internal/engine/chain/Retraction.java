package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;

/// How a record says that it takes back another.
final class Retraction {
  /// What a consumer of a sink's topic finds at such a record; it has no value.
  static final String HEADER = "millrace.retraction";

  /// All headers of a retraction in an exchange: one without name and value, so that none that an
  /// application passes through is taken for it.
  private static final byte[] MARK = headers("");

  private static final byte[] SINK_HEADERS = headers(HEADER);

  private Retraction() {}

  private static byte[] headers(String name) {
    BytesWriter writer = new BytesWriter(32);
    Headers.begin(1, writer);
    Headers.write(name, null, writer);
    return writer.toByteArray();
  }

  /// Marks the last record of a batch to an exchange.
  static void mark(RecordBatch batch) {
    batch.headers(MARK, 0, MARK.length);
  }

  /// Marks the last record of a batch to a sink.
  static void markForReaders(RecordBatch batch) {
    batch.headers(SINK_HEADERS, 0, SINK_HEADERS.length);
  }

  /// Whether a record of an exchange was marked.
  static boolean isMarked(RecordBatch batch, int index) {
    return batch.hasHeaders(index) && isMark(batch.headers(index, new Bytes()));
  }

  /// Refuses headers that would be taken for the mark behind an exchange.
  static void requireNoMark(Bytes headers) {
    if (isMark(headers)) {
      throw new SerdeException(
          "The record's only header has neither name nor value; in an exchange that stands for a"
              + " retraction.");
    }
  }

  private static boolean isMark(Bytes headers) {
    if (headers.length() != MARK.length) {
      return false;
    }
    for (int i = 0; i < MARK.length; i++) {
      if (headers.get(i) != MARK[i]) {
        return false;
      }
    }
    return true;
  }
}

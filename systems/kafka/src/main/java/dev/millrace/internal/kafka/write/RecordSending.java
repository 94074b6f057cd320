package dev.millrace.internal.kafka.write;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/// Passes the records of a batch to a producer, which needs arrays.
final class RecordSending {
  /// What a batch of one record holds besides key, value and headers, at most.
  private static final int OVERHEAD_BYTES = 61 + 21;

  private RecordSending() {}

  /// Sends the records of a batch, whose bytes are copied before this returns. Stops once the
  /// transaction has failed.
  ///
  /// @param largestBatchBytes what the split takes
  static void send(
      RecordBatch batch,
      Transaction.Sent sent,
      Producer<byte[], byte[]> producer,
      int largestBatchBytes) {
    Split to = sent.to();
    Bytes view = new Bytes();
    for (int i = 0; i < batch.size() && !sent.isInVain(); i++) {
      byte[] key = batch.hasKey(i) ? batch.key(i, view).toByteArray() : null;
      byte[] value = batch.hasValue(i) ? batch.value(i, view).toByteArray() : null;
      int headerBytes = batch.headers(i, view).length();
      List<Header> headers = headerBytes > 0 ? headers(view) : null;
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(
              to.stream(), to.partition(), batch.timestamp(i), key, value, headers);
      int bytes = OVERHEAD_BYTES + length(key) + length(value) + headerBytes;
      if (bytes <= largestBatchBytes) {
        var _ = producer.send(record, sent);
      } else {
        // Alone, so that the log says whether it takes this record, and not a batch around it.
        producer.flush();
        var _ = producer.send(record, sent);
        producer.flush();
      }
    }
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static List<Header> headers(Bytes encoded) {
    List<Header> headers = new ArrayList<>();
    Headers.visit(encoded, (key, value) -> headers.add(new RecordHeader(key, value)));
    return headers;
  }
}

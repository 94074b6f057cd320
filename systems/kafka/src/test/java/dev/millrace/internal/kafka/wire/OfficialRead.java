package dev.millrace.internal.kafka.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;
import org.xerial.snappy.SnappyError;

/// What the official consumer makes of an answer: Kafka's own classes take it apart, in the order
/// of steps of its `CompletedFetch`.
final class OfficialRead {
  /// A record as text, so that two of them are easily compared.
  static String text(
      long offset, long timestamp, ByteBuffer key, ByteBuffer value, String headers) {
    return offset + " at " + timestamp + ": " + text(key) + " -> " + text(value) + headers;
  }

  private static String text(ByteBuffer bytes) {
    if (bytes == null) {
      return "null";
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return Base64.getEncoder().encodeToString(copy);
  }

  static String text(String key, byte[] value) {
    return " [" + key + "=" + text(value == null ? null : ByteBuffer.wrap(value)) + "]";
  }

  final List<String> records = new ArrayList<>();

  /// The leader epoch of each of them.
  final List<Integer> epochs = new ArrayList<>();

  /// Null if it came to the end.
  Throwable failure;

  long next;
  private final PriorityQueue<AbortedTransaction> aborted =
      new PriorityQueue<>(Comparator.comparingLong(AbortedTransaction::firstOffset));
  private final Set<Long> abortedNow = new HashSet<>();

  OfficialRead(FetchedBytes answer) {
    next = answer.next();
    aborted.addAll(answer.aborted());
    try {
      MemoryRecords.readableRecords(ByteBuffer.wrap(answer.bytes())).batches().forEach(this::read);
    } catch (KafkaException
        | IllegalArgumentException
        | BufferUnderflowException
        | NegativeArraySizeException
        | NullPointerException
        | SnappyError
        | OutOfMemoryError e) {
      // Its own exceptions are no more than the first.
      failure = e;
    }
  }

  private void read(RecordBatch batch) {
    batch.ensureValid();
    if (batch.hasProducerId()) {
      while (!aborted.isEmpty() && aborted.peek().firstOffset() <= batch.lastOffset()) {
        abortedNow.add(aborted.poll().producerId());
      }
      if (isAbort(batch)) {
        abortedNow.remove(batch.producerId());
      } else if (batch.isTransactional() && abortedNow.contains(batch.producerId())) {
        next = batch.nextOffset();
        return;
      }
    }
    try (CloseableIterator<Record> all = batch.streamingIterator(BufferSupplier.NO_CACHING)) {
      while (all.hasNext()) {
        Record record = all.next();
        if (record.offset() >= next && !batch.isControlBatch()) {
          records.add(text(record));
          epochs.add(batch.partitionLeaderEpoch());
          next = record.offset() + 1;
        }
      }
    }
    next = batch.nextOffset();
  }

  private static boolean isAbort(RecordBatch batch) {
    if (!batch.isControlBatch()) {
      return false;
    }
    Iterator<Record> all = batch.iterator();
    return all.hasNext() && ControlRecordType.parse(all.next().key()) == ControlRecordType.ABORT;
  }

  private static String text(Record record) {
    StringBuilder headers = new StringBuilder();
    for (Header header : record.headers()) {
      headers.append(text(header.key(), header.value()));
    }
    return text(
        record.offset(), record.timestamp(), record.key(), record.value(), headers.toString());
  }
}

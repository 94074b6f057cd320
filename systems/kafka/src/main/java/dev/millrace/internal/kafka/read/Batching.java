package dev.millrace.internal.kafka.read;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.kafka.client.PositionDetail;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Headers;
import dev.millrace.spi.RecordBatch;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/// Makes batches of what has landed. A batch holds records of one split and one leader epoch, and
/// is neither so large that it stays in nobody's cache nor so long that it holds up the others.
final class Batching {
  static final int BATCH_BYTES = 256 << 10;
  static final int BATCH_RECORDS = 4_096;

  private final BatchPool pool;
  private final Landing landing;

  Batching(BatchPool pool, Landing landing) {
    this.pool = pool;
    this.landing = landing;
  }

  /// Adds what a poll gave of a split to its batches; none may have been made of the poll before.
  ///
  /// @param next where the consumer goes on
  void add(
      SplitPosition split,
      ConsumerRecords<Landing.Place, Landing.Place> polled,
      OffsetAndMetadata next) {
    List<ConsumerRecord<Landing.Place, Landing.Place>> records = polled.records(split.partition);
    if (!records.isEmpty()) {
      add(split, polled, records);
    }
    if (next.offset() > split.next()) {
      move(split, next);
    }
  }

  private void add(
      SplitPosition split,
      ConsumerRecords<Landing.Place, Landing.Place> polled,
      List<ConsumerRecord<Landing.Place, Landing.Place>> records) {
    boolean whole =
        polled.partitions().size() == 1
            && records.size() <= BATCH_RECORDS
            && landing.data().length() <= BATCH_BYTES
            && epoch(records.getFirst()) == epoch(records.getLast());
    RecordBatch last = whole ? whole(split, records) : parts(split, records);
    split.take(last, epoch(records.getLast()));
  }

  /// Behind the records are markers, records of aborted transactions, or the places of removed
  /// ones. A position behind them must not claim an older leader epoch than theirs.
  private void move(SplitPosition split, OffsetAndMetadata next) {
    int epoch = next.leaderEpoch().orElse(split.leaderEpoch());
    RecordBatch last = split.ready.peekLast();
    if (last == null || epoch != split.leaderEpoch()) {
      last = pool.take(split.split(), split.detail(epoch), split.next());
      split.ready.add(last);
    }
    last.nextOffset(next.offset());
    split.move(next.offset(), epoch);
  }

  /// The batch in which the bytes have landed.
  private RecordBatch whole(
      SplitPosition split, List<ConsumerRecord<Landing.Place, Landing.Place>> records) {
    RecordBatch batch = landing.take();
    batch.origin(split.split(), split.detail(epoch(records.getFirst())), split.next());
    for (int i = 0; i < records.size(); i++) {
      ConsumerRecord<Landing.Place, Landing.Place> record = records.get(i);
      batch.append(record.offset(), record.timestamp());
      Landing.@Nullable Place key = record.key();
      if (key != null) {
        batch.keyAt(key.start, key.length);
      }
      Landing.@Nullable Place value = record.value();
      if (value != null) {
        batch.valueAt(value.start, value.length);
      }
      headers(record, batch);
    }
    return batch;
  }

  /// Copies the bytes on, into batches of the right size.
  ///
  /// @return the last batch; those before it are ready
  private RecordBatch parts(
      SplitPosition split, List<ConsumerRecord<Landing.Place, Landing.Place>> records) {
    byte[] landed = landing.data().array();
    int epoch = epoch(records.getFirst());
    RecordBatch batch = pool.take(split.split(), split.detail(epoch), split.next());
    for (int i = 0; i < records.size(); i++) {
      ConsumerRecord<Landing.Place, Landing.Place> record = records.get(i);
      if (epoch(record) != epoch
          || batch.size() == BATCH_RECORDS
          || (batch.size() > 0 && batch.dataLength() + bytes(record) > BATCH_BYTES)) {
        epoch = epoch(record);
        split.ready.add(batch);
        batch = pool.take(split.split(), split.detail(epoch), batch.nextOffset());
      }
      batch.append(record.offset(), record.timestamp());
      Landing.@Nullable Place key = record.key();
      if (key != null) {
        batch.key(landed, key.start, key.length);
      }
      Landing.@Nullable Place value = record.value();
      if (value != null) {
        batch.value(landed, value.start, value.length);
      }
      headers(record, batch);
    }
    return batch;
  }

  private static int epoch(ConsumerRecord<?, ?> record) {
    return record.leaderEpoch().orElse(PositionDetail.UNKNOWN_EPOCH);
  }

  private static int bytes(ConsumerRecord<?, ?> record) {
    return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
  }

  private static void headers(ConsumerRecord<?, ?> record, RecordBatch batch) {
    Header[] headers = record.headers().toArray();
    if (headers.length > 0) {
      BytesWriter data = batch.data();
      int start = data.length();
      Headers.begin(headers.length, data);
      for (Header header : headers) {
        Headers.write(header.key(), header.value(), data);
      }
      batch.endHeaders(start);
    }
  }
}

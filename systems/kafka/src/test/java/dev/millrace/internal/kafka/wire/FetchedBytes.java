package dev.millrace.internal.kafka.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

/// What a broker may answer for one partition, written by Kafka's own classes: batches of several
/// producers, transactions that were committed and aborted, batches that the cleaner went over, all
/// compressions.
///
/// @param bytes as in an answer
/// @param aborted the transactions that the broker names with it
/// @param next the offset that was asked for
record FetchedBytes(byte[] bytes, List<AbortedTransaction> aborted, long next) {
  private static final long TIME = 1_700_000_000_000L;

  /// @param seed the same gives the same
  static FetchedBytes of(long seed) {
    Random random = new Random(seed);
    Compression compression =
        Compression.of(CompressionType.forId(random.nextInt(CompressionType.values().length)))
            .build();
    ByteBufferOutputStream all = new ByteBufferOutputStream(1 << 10);
    List<AbortedTransaction> aborted = new ArrayList<>();
    long start = random.nextInt(3) == 0 ? 0 : random.nextInt(1_000_000);
    long offset = start;
    long firstEnd = start;
    int epoch = random.nextInt(5);
    // Of each producer, where its transaction began; -1 if none is open.
    long[] open = {-1, -1, -1};
    for (int batches = 1 + random.nextInt(6); batches > 0; batches--) {
      firstEnd = firstEnd == start ? offset : firstEnd;
      epoch += random.nextInt(4) == 0 ? 1 : 0;
      int producer = random.nextInt(open.length);
      if (open[producer] >= 0 && random.nextInt(2) == 0) {
        if (random.nextBoolean()) {
          aborted.add(
              new AbortedTransaction().setProducerId(producer).setFirstOffset(open[producer]));
          write(all, marker(offset, epoch, producer, ControlRecordType.ABORT));
        } else {
          write(all, marker(offset, epoch, producer, ControlRecordType.COMMIT));
        }
        open[producer] = -1;
        offset++;
        continue;
      }
      boolean transactional = random.nextInt(3) > 0;
      if (transactional && open[producer] < 0) {
        open[producer] = offset;
      }
      if (random.nextInt(10) == 0) {
        offset = emptied(all, offset, epoch, producer, transactional);
      } else {
        offset = filled(all, offset, epoch, producer, transactional, compression, random);
      }
    }
    firstEnd = firstEnd == start ? offset : firstEnd;
    // A broker begins with the batch that holds what was asked for.
    long next = random.nextBoolean() ? start : start + random.nextInt((int) (firstEnd - start));
    return new FetchedBytes(
        Arrays.copyOf(all.buffer().array(), all.position()), List.copyOf(aborted), next);
  }

  private static MemoryRecords marker(long at, int epoch, int producer, ControlRecordType type) {
    return MemoryRecords.withEndTransactionMarker(
        at, TIME, epoch, producer, (short) 7, new EndTransactionMarker(type, 3));
  }

  /// What the cleaner leaves of the last batch of a producer.
  private static long emptied(
      ByteBufferOutputStream all, long offset, int epoch, int producer, boolean transactional) {
    ByteBuffer header = ByteBuffer.allocate(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
    DefaultRecordBatch.writeEmptyHeader(
        header,
        RecordBatch.MAGIC_VALUE_V2,
        producer,
        (short) 7,
        0,
        offset,
        offset + 4,
        epoch,
        TimestampType.CREATE_TIME,
        TIME,
        transactional,
        false);
    header.flip();
    all.write(header);
    return offset + 5;
  }

  private static long filled(
      ByteBufferOutputStream all,
      long offset,
      int epoch,
      int producer,
      boolean transactional,
      Compression compression,
      Random random) {
    boolean atAppend = random.nextInt(5) == 0;
    MemoryRecordsBuilder builder =
        new MemoryRecordsBuilder(
            ByteBuffer.allocate(256),
            RecordBatch.MAGIC_VALUE_V2,
            random.nextInt(5) == 0 ? Compression.NONE : compression,
            atAppend ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME,
            offset,
            TIME,
            transactional ? producer : RecordBatch.NO_PRODUCER_ID,
            transactional ? (short) 7 : RecordBatch.NO_PRODUCER_EPOCH,
            transactional ? 0 : RecordBatch.NO_SEQUENCE,
            transactional,
            false,
            epoch,
            1 << 20);
    boolean cleaned = random.nextInt(5) == 0;
    long at = offset;
    for (int count = 1 + random.nextInt(12); count > 0; count--) {
      at += cleaned ? random.nextInt(4) : 0;
      builder.appendWithOffset(
          at++,
          TIME + random.nextInt(100_000),
          bytes(random, 20),
          bytes(random, 200),
          headers(random));
    }
    long last = at - 1 + (cleaned ? random.nextInt(3) : 0);
    builder.overrideLastOffset(last);
    write(all, builder.build());
    return last + 1;
  }

  private static byte[] bytes(Random random, int most) {
    if (random.nextInt(6) == 0) {
      return null;
    }
    byte[] bytes = new byte[random.nextInt(most)];
    if (random.nextBoolean()) {
      random.nextBytes(bytes);
    } else {
      Arrays.fill(bytes, (byte) 'x'); // easily compressed
    }
    return bytes;
  }

  private static Header[] headers(Random random) {
    Header[] headers = new Header[random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0];
    for (int i = 0; i < headers.length; i++) {
      headers[i] = new RecordHeader("key " + i, bytes(random, 10));
    }
    return headers;
  }

  private static void write(ByteBufferOutputStream all, MemoryRecords records) {
    all.write(records.buffer().duplicate());
  }
}

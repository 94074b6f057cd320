package dev.millrace.kafka.wire;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.jspecify.annotations.Nullable;

/// Turns what a broker answers for one split into batches: checks each of Kafka's batches, leaves
/// out what was aborted, copies the records of the others as they are into a batch of ours, and
/// notes where keys and values lie. Not thread-safe.
public final class BatchDecoder implements AutoCloseable {
  /// A batch of ours holds batches of Kafka's until it has so many bytes.
  private static final int ENOUGH_BYTES = 256 << 10;

  private static final int ENOUGH_RECORDS = 4_096;

  /// What a batch may unpack to; with more it is taken for an attack.
  private static final int MOST_UNPACKED_BYTES = 256 << 20;

  private static final int UNPACKED_AT_ONCE = 64 << 10;
  private static final int ABORT_MARKER = 0;

  private final BatchPool pool;
  private final BufferSupplier buffers = BufferSupplier.create();
  private final CRC32C crc = new CRC32C();

  // Of the answer that is being decoded.
  private @Nullable RecordBatch open;
  private int openEpoch;
  private int lastEpoch;
  private long next;

  /// Where parsing has come to, in the data of the open batch.
  private int at;

  /// Who reads a split.
  public interface Reading {
    Split split();

    /// The first offset that is wanted.
    long next();

    /// What stands in the detail of positions in a leader epoch.
    byte[] detail(int leaderEpoch);

    /// Takes a batch, behind which [#next] moves to its [RecordBatch#nextOffset].
    void take(RecordBatch batch, int leaderEpoch);
  }

  /// @param pool where batches come from
  public BatchDecoder(BatchPool pool) {
    this.pool = pool;
  }

  /// Decodes an answer. What comes before a batch that is corrupt was handed out when this throws.
  ///
  /// @param records with an array, and perhaps an incomplete batch at the end
  /// @param aborted as the broker told with these records
  public void decode(ByteBuffer records, List<AbortedTransaction> aborted, Reading reading) {
    next = reading.next();
    AbortedProducers producers = new AbortedProducers(aborted);
    int start = records.arrayOffset() + records.position();
    try {
      decode(records.array(), start, start + records.remaining(), producers, reading);
    } finally {
      handOut(reading);
    }
  }

  private void decode(byte[] array, int start, int end, AbortedProducers aborted, Reading reading) {
    int from = start;
    while (end - from > BatchLayout.MAGIC) {
      int length = BatchLayout.intAt(array, from + BatchLayout.LENGTH);
      if (length < BatchLayout.RECORDS - BatchLayout.BEFORE_LENGTH
          && array[from + BatchLayout.MAGIC] >= BatchLayout.FORMAT) {
        throw corrupt(reading, from, array, "claims a length of " + length);
      }
      if (length > end - from - BatchLayout.BEFORE_LENGTH) {
        return; // the rest of it comes with the next answer
      }
      int behind = from + BatchLayout.BEFORE_LENGTH + length;
      if (array[from + BatchLayout.MAGIC] != BatchLayout.FORMAT) {
        throw corrupt(
            reading,
            from,
            array,
            "has format %d; only 2, of Kafka 0.11 and newer, can be read"
                .formatted(array[from + BatchLayout.MAGIC]));
      }
      one(array, from, behind, aborted, reading);
      from = behind;
    }
  }

  private void one(byte[] array, int from, int behind, AbortedProducers aborted, Reading reading) {
    long base = BatchLayout.longAt(array, from + BatchLayout.BASE_OFFSET);
    int lastDelta = BatchLayout.intAt(array, from + BatchLayout.LAST_OFFSET_DELTA);
    long last = base + lastDelta;
    if (lastDelta < 0 || base < 0) {
      throw corrupt(reading, from, array, "claims offsets %d to %d".formatted(base, last));
    }
    check(array, from, behind, reading);
    aborted.advanceTo(last);
    lastEpoch = BatchLayout.intAt(array, from + BatchLayout.LEADER_EPOCH);
    if (open != null && openEpoch != lastEpoch) {
      handOut(reading);
    }
    int attributes = BatchLayout.shortAt(array, from + BatchLayout.ATTRIBUTES);
    long producerId = BatchLayout.longAt(array, from + BatchLayout.PRODUCER_ID);
    boolean wanted = last >= next;
    if ((attributes & BatchLayout.CONTROL) != 0) {
      if (isAbort(array, from, behind)) {
        aborted.end(producerId);
      }
      wanted = false;
    } else if ((attributes & BatchLayout.TRANSACTIONAL) != 0 && aborted.contains(producerId)) {
      wanted = false;
    }
    if (wanted) {
      RecordBatch batch = openFor(reading);
      try {
        unpack(array, from, behind, attributes, batch, reading);
      } catch (IndexOutOfBoundsException e) {
        throw corrupt(reading, from, array, "has records that are none", e);
      }
    }
    next = Math.max(next, last + 1);
  }

  private void check(byte[] array, int from, int behind, Reading reading) {
    crc.reset();
    crc.update(array, from + BatchLayout.ATTRIBUTES, behind - from - BatchLayout.ATTRIBUTES);
    int told = BatchLayout.intAt(array, from + BatchLayout.CRC);
    if ((int) crc.getValue() != told) {
      throw corrupt(
          reading,
          from,
          array,
          "has the checksum %08x and claims %08x".formatted((int) crc.getValue(), told));
    }
  }

  /// The key of a marker is a version and a type, two bytes each.
  private static boolean isAbort(byte[] array, int from, int behind) {
    int cursor = from + BatchLayout.RECORDS;
    // length, attributes, timestamp, offset: numbers of variable length, all but the second
    for (int field = 0; field < 5; field++) {
      if (field == 1) {
        cursor++;
        continue;
      }
      while (cursor < behind && array[cursor] < 0) {
        cursor++;
      }
      cursor++;
    }
    return cursor + 4 <= behind && BatchLayout.shortAt(array, cursor + 2) == ABORT_MARKER;
  }

  private RecordBatch openFor(Reading reading) {
    RecordBatch batch = open;
    if (batch != null && (batch.dataLength() >= ENOUGH_BYTES || batch.size() >= ENOUGH_RECORDS)) {
      handOut(reading);
      batch = null;
    }
    if (batch == null) {
      batch = pool.take(reading.split(), reading.detail(lastEpoch), reading.next());
      open = batch;
      openEpoch = lastEpoch;
    }
    return batch;
  }

  /// Hands out what is there, which may be no record but a place to go on at.
  private void handOut(Reading reading) {
    RecordBatch batch = open;
    open = null;
    if (batch == null) {
      if (next <= reading.next()) {
        return;
      }
      openEpoch = lastEpoch;
      batch = pool.take(reading.split(), reading.detail(openEpoch), reading.next());
    }
    batch.nextOffset(next);
    reading.take(batch, openEpoch);
  }

  private void unpack(
      byte[] array, int from, int behind, int attributes, RecordBatch batch, Reading reading) {
    int count = BatchLayout.intAt(array, from + BatchLayout.COUNT);
    BytesWriter data = batch.data();
    int start = data.length();
    CompressionType type = compression(array, from, attributes, reading);
    if (type == CompressionType.NONE) {
      int records = from + BatchLayout.RECORDS;
      data.write(array, records, behind - records);
    } else {
      decompress(type, from, behind, array, data, reading);
    }
    int size = batch.size();
    try {
      place(array, from, count, start, batch, reading);
    } catch (CorruptBatchException | IndexOutOfBoundsException e) {
      while (batch.size() > size) {
        batch.removeLast(start);
      }
      throw e;
    }
  }

  /// Finds the records among the bytes that were copied from `start` on.
  private void place(
      byte[] array, int from, int count, int start, RecordBatch batch, Reading reading) {
    byte[] data = batch.data().array();
    int end = batch.data().length();
    long base = BatchLayout.longAt(array, from + BatchLayout.BASE_OFFSET);
    long last = base + BatchLayout.intAt(array, from + BatchLayout.LAST_OFFSET_DELTA);
    long baseTime = BatchLayout.longAt(array, from + BatchLayout.BASE_TIMESTAMP);
    int attributes = BatchLayout.shortAt(array, from + BatchLayout.ATTRIBUTES);
    boolean atAppend = (attributes & BatchLayout.LOG_APPEND_TIME) != 0;
    long maxTime = BatchLayout.longAt(array, from + BatchLayout.MAX_TIMESTAMP);
    long wanted = next;
    long before = base - 1;
    at = start;
    for (int i = 0; i < count; i++) {
      int length = signedInt(data);
      int behind = at + length;
      if (length < 0 || behind > end) {
        throw corrupt(reading, from, array, "holds less than its %d records".formatted(count));
      }
      at++; // attributes of a record: none are in use
      long timestamp = baseTime + signed(data);
      long offset = base + signedInt(data);
      int keyLength = signedInt(data);
      int key = at;
      at += Math.max(0, keyLength);
      int valueLength = signedInt(data);
      int value = at;
      at += Math.max(0, valueLength);
      boolean headers = at < behind && data[at] != 0;
      if (offset <= before
          || offset > last
          || keyLength < -1
          || valueLength < -1
          || at >= behind
          || (!headers && at + 1 != behind)) {
        throw corrupt(reading, from, array, "has a record %d that is none".formatted(i));
      }
      before = offset;
      if (offset >= wanted) {
        batch.append(offset, atAppend ? maxTime : timestamp);
        batch.place(key, keyLength, value, valueLength, at, headers ? behind - at : 0);
      }
      at = behind;
    }
    if (at != end) {
      throw corrupt(reading, from, array, "holds more than its %d records".formatted(count));
    }
  }

  private int signedInt(byte[] data) {
    long value = signed(data);
    if (value != (int) value) {
      throw new IndexOutOfBoundsException("A length of " + value);
    }
    return (int) value;
  }

  private long signed(byte[] data) {
    int first = data[at++];
    if (first >= 0) {
      return VarInts.unZigZag(first);
    }
    long raw = first & 0x7F;
    for (int shift = 7; shift < 70; shift += 7) {
      int more = data[at++];
      raw |= (more & 0x7FL) << shift;
      if (more >= 0) {
        return VarInts.unZigZag(raw);
      }
    }
    throw new IndexOutOfBoundsException("A number without end");
  }

  private static CompressionType compression(
      byte[] array, int from, int attributes, Reading reading) {
    try {
      return CompressionType.forId(attributes & BatchLayout.COMPRESSION_BITS);
    } catch (IllegalArgumentException e) {
      throw corrupt(reading, from, array, "has a compression that nobody knows", e);
    }
  }

  private void decompress(
      CompressionType type, int from, int behind, byte[] array, BytesWriter data, Reading reading) {
    ByteBuffer packed =
        ByteBuffer.wrap(array, from + BatchLayout.RECORDS, behind - from - BatchLayout.RECORDS);
    int start = data.length();
    try (InputStream stream =
        Compression.of(type).build().wrapForInput(packed, BatchLayout.FORMAT, buffers)) {
      while (true) {
        int to = data.reserve(UNPACKED_AT_ONCE);
        int read = stream.readNBytes(data.array(), to, UNPACKED_AT_ONCE);
        data.truncate(to + read);
        if (read < UNPACKED_AT_ONCE) {
          return;
        }
        if (data.length() - start > MOST_UNPACKED_BYTES) {
          throw corrupt(
              reading, from, array, "unpacks to more than %d bytes".formatted(MOST_UNPACKED_BYTES));
        }
      }
    } catch (IOException | KafkaException e) {
      throw corrupt(reading, from, array, "cannot be unpacked (%s)".formatted(type.name), e);
    }
  }

  private static CorruptBatchException corrupt(
      Reading reading, int from, byte[] array, String what) {
    return new CorruptBatchException(message(reading, from, array, what));
  }

  private static CorruptBatchException corrupt(
      Reading reading, int from, byte[] array, String what, Exception cause) {
    return new CorruptBatchException(message(reading, from, array, what), cause);
  }

  private static String message(Reading reading, int from, byte[] array, String what) {
    return "The batch of %s at offset %d %s."
        .formatted(
            reading.split(), BatchLayout.longAt(array, from + BatchLayout.BASE_OFFSET), what);
  }

  @Override
  public void close() {
    buffers.close();
  }
}

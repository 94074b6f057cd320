package dev.millrace.internal.kafka.wire;

import dev.millrace.api.serde.BytesWriter;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.internal.CompressionType;
import org.jspecify.annotations.Nullable;

/// Converts the answer of a broker for one split to batches: checks each of Kafka's batches, leaves
/// out aborted ones, copies the records of the others unchanged into a [RecordBatch], and records
/// where keys and values are. Not thread-safe.
public final class BatchDecoder implements AutoCloseable {
  /// A batch of ours holds batches of Kafka's until it has so many bytes.
  private static final int ENOUGH_BYTES = 256 << 10;

  private static final int ENOUGH_RECORDS = 4_096;

  private static final int ABORT_MARKER = 0;
  private static final int MARKER_KEY_BYTES = 4;

  private final BatchPool pool;
  private final int mostUnpackedBytes;
  private final Unpacker unpacker;
  private final CRC32C crc = new CRC32C();

  // Of the answer that is being decoded.
  private long unpackedBytes;

  // Of the split that is being decoded.
  private @Nullable RecordBatch open;
  private int openEpoch;
  private int lastEpoch;
  private long next;

  /// The last offset of the batch before; -1 if there is none.
  private long before;

  /// Where parsing has come to, in the data of the open batch.
  private int at;

  /// The reader of a split.
  public interface Reading {
    Split split();

    /// Returns the first offset that is wanted.
    long next();

    /// Returns the detail of positions in a leader epoch.
    byte[] detail(int leaderEpoch);

    /// Receives a batch, after which [#next] returns its [RecordBatch#nextOffset].
    void take(RecordBatch batch, int leaderEpoch);
  }

  /// @param pool where batches come from
  /// @param mostUnpackedBytes that one of Kafka's batches may unpack to. It is bounded by the topic
  ///   only as long as it is packed
  public BatchDecoder(BatchPool pool, int mostUnpackedBytes) {
    this.pool = pool;
    this.mostUnpackedBytes = mostUnpackedBytes;
    unpacker = new Unpacker(mostUnpackedBytes);
  }

  /// Begins an answer, whose splits are then decoded one after the other.
  public void begin() {
    unpackedBytes = 0;
  }

  /// Returns whether so much of the answer was unpacked that the rest is better fetched again.
  public boolean isEnough() {
    return unpackedBytes > mostUnpackedBytes / 2;
  }

  /// Decodes an answer, or the beginning of one that is very large when decompressed. If a batch is
  /// corrupt, this throws after the batches before it were passed on.
  ///
  /// @param records with an array; at least one batch, and perhaps an incomplete one at the end
  /// @param aborted as the broker told with these records
  public void decode(ByteBuffer records, List<AbortedTransaction> aborted, Reading reading) {
    next = reading.next();
    before = -1;
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
    while (end - from >= BatchLayout.BEFORE_LENGTH && !isEnough()) {
      int length = BatchLayout.intAt(array, from + BatchLayout.LENGTH);
      if (end - from > BatchLayout.MAGIC && array[from + BatchLayout.MAGIC] != BatchLayout.FORMAT) {
        throw corrupt(
            reading,
            from,
            array,
            "has format %d; only 2, of Kafka 0.11 and newer, can be read"
                .formatted(array[from + BatchLayout.MAGIC]));
      }
      if (length < BatchLayout.RECORDS - BatchLayout.BEFORE_LENGTH
          || length > Integer.MAX_VALUE - BatchLayout.BEFORE_LENGTH) {
        throw corrupt(reading, from, array, "claims a length of " + length);
      }
      if (length > end - from - BatchLayout.BEFORE_LENGTH) {
        break; // the rest of it comes with the next answer
      }
      int behind = from + BatchLayout.BEFORE_LENGTH + length;
      one(array, from, behind, aborted, reading);
      from = behind;
    }
    if (from == start) {
      // It would be the same again and again: a broker sends the first batch as a whole.
      throw new CorruptBatchException(
          "%d bytes of %s at offset %d hold no batch."
              .formatted(end - start, reading.split(), next));
    }
  }

  private void one(byte[] array, int from, int behind, AbortedProducers aborted, Reading reading) {
    long base = BatchLayout.longAt(array, from + BatchLayout.BASE_OFFSET);
    int lastDelta = BatchLayout.intAt(array, from + BatchLayout.LAST_OFFSET_DELTA);
    long last = base + lastDelta;
    if (lastDelta < 0 || base < 0 || last < base || last == Long.MAX_VALUE) {
      throw corrupt(reading, from, array, "claims offsets %d to %d".formatted(base, last));
    }
    if (base <= before || last < next) {
      throw corrupt(
          reading,
          from,
          array,
          "ends at %d, and what was to come begins at %d".formatted(last, next));
    }
    check(array, from, behind, reading);
    before = last;
    aborted.advanceTo(last);
    lastEpoch = BatchLayout.intAt(array, from + BatchLayout.LEADER_EPOCH);
    if (open != null && openEpoch != lastEpoch) {
      handOut(reading);
    }
    int attributes = BatchLayout.shortAt(array, from + BatchLayout.ATTRIBUTES);
    long producerId = BatchLayout.longAt(array, from + BatchLayout.PRODUCER_ID);
    try {
      if ((attributes & BatchLayout.CONTROL) != 0) {
        if (isAbort(array, from, behind, attributes, reading)) {
          aborted.end(producerId);
        }
      } else if ((attributes & BatchLayout.TRANSACTIONAL) == 0 || !aborted.contains(producerId)) {
        unpack(array, from, behind, attributes, openFor(reading), reading);
      }
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(reading, from, array, "has records that are none", e);
    }
    next = last + 1;
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

  /// The key of a marker is a version and a type, two bytes each. One that cannot be read must not
  /// be passed over: what its producer wrote afterwards would be taken for aborted as well.
  private boolean isAbort(byte[] array, int from, int behind, int attributes, Reading reading) {
    int count = BatchLayout.intAt(array, from + BatchLayout.COUNT);
    boolean packed = (attributes & BatchLayout.COMPRESSION_BITS) != 0;
    at = from + BatchLayout.RECORDS;
    if (count == 0 && at == behind && !packed) {
      return false; // left by the cleaner
    }
    int length = signedInt(array);
    boolean whole = count == 1 && length == behind - at;
    at++;
    signed(array); // timestamp
    signedInt(array); // offset
    int keyLength = signedInt(array);
    int key = at;
    at += Math.max(0, keyLength);
    int valueLength = signedInt(array);
    at += Math.max(0, valueLength);
    if (packed
        || !whole
        || keyLength < MARKER_KEY_BYTES
        || !areHeaders(array, behind)
        || BatchLayout.shortAt(array, key) < 0) {
      throw corrupt(reading, from, array, "marks the end of a transaction, and cannot be read");
    }
    return BatchLayout.shortAt(array, key + Short.BYTES) == ABORT_MARKER;
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

  /// Passes on the open batch, which may have no records and only a next offset.
  private void handOut(Reading reading) {
    RecordBatch batch = open;
    open = null;
    if (next <= reading.next()) {
      if (batch != null) {
        batch.release();
      }
      return;
    }
    if (batch == null) {
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
    int size = batch.size();
    boolean done = false;
    try {
      CompressionType type = compression(array, from, attributes, reading);
      int records = from + BatchLayout.RECORDS;
      if (type == CompressionType.NONE) {
        data.write(array, records, behind - records);
      } else {
        decompress(type, array, from, behind, data, reading);
        unpackedBytes += data.length() - start;
      }
      place(array, from, count, start, batch, reading);
      done = true;
    } finally {
      if (!done) {
        while (batch.size() > size) {
          batch.removeLast(start);
        }
        data.truncate(start);
      }
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
    long earlier = base - 1;
    at = start;
    if (count < 0) {
      throw corrupt(reading, from, array, "claims to hold %d records".formatted(count));
    }
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
      int headers = at;
      boolean none = at >= 0 && at < behind && data[at] == 0;
      if (offset <= earlier
          || offset > last
          || keyLength < -1
          || valueLength < -1
          || !(none ? at + 1 == behind : areHeaders(data, behind))) {
        throw corrupt(reading, from, array, "has a record %d that is none".formatted(i));
      }
      earlier = offset;
      if (offset >= wanted) {
        batch.append(offset, atAppend ? maxTime : timestamp);
        batch.place(key, keyLength, value, valueLength, headers, none ? 0 : behind - headers);
      }
      at = behind;
    }
    if (at != end) {
      throw corrupt(reading, from, array, "holds more than its %d records".formatted(count));
    }
  }

  /// Returns whether there are headers from here to the end of the record.
  private boolean areHeaders(byte[] data, int behind) {
    int count = signedInt(data);
    for (int i = 0; i < count; i++) {
      int keyLength = signedInt(data);
      if (keyLength < 0 || keyLength > behind - at) {
        return false;
      }
      at += keyLength;
      int valueLength = signedInt(data);
      if (valueLength > behind - at) {
        return false;
      }
      at += Math.max(0, valueLength);
    }
    return count >= 0 && at == behind;
  }

  /// At most five bytes.
  private int signedInt(byte[] data) {
    int from = at;
    long value = signed(data);
    if (value != (int) value || at - from > 5) {
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
      throw corrupt(reading, from, array, "has an unknown compression", e);
    }
  }

  private void decompress(
      CompressionType type, byte[] array, int from, int behind, BytesWriter data, Reading reading) {
    try {
      unpacker.unpack(type, array, from + BatchLayout.RECORDS, behind, data);
    } catch (Unpacker.TooMuchException e) {
      throw corrupt(
          reading,
          from,
          array,
          ("is packed (%s) and holds more than the %d bytes that there is memory for. Raise"
                  + " memory.budget or kafka.fetch.max.bytes, have its producers make smaller"
                  + " batches (batch.size), or read it with kafka.data-plane: official")
              .formatted(type.name, mostUnpackedBytes),
          e);
    } catch (IOException e) {
      throw corrupt(
          reading,
          from,
          array,
          "cannot be unpacked (%s): %s".formatted(type.name, e.getMessage()),
          e);
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
    unpacker.close();
  }
}

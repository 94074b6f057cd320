package dev.millrace.internal.kafka.wire;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.RecordBatch;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

/// Writes records as batches of Kafka's format. One encoder collects the records of one split until
/// a batch is large enough or [#finish] is called. Not thread-safe.
public final class BatchEncoder {
  /// What a record takes besides key, value and headers, at most.
  private static final int RECORD_OVERHEAD = 32;

  private static final int UNKNOWN_EPOCH = -1;
  private static final int SMALLEST = 4 << 10;

  private final Compression compression;
  private final BatchArrays arrays;
  private int wantedBytes;
  private final Consumer<EncodedBatch> out;
  private byte[] array = new byte[0];
  private int length;
  private int count;
  private long baseTimestamp;
  private long maxTimestamp;

  /// @param wantedBytes how large a batch should become, before compression; more only for one
  ///   record that is larger
  /// @param arrays to write into
  /// @param out takes full batches
  public BatchEncoder(
      Compression compression, int wantedBytes, BatchArrays arrays, Consumer<EncodedBatch> out) {
    this.compression = compression;
    this.wantedBytes = wantedBytes;
    this.arrays = arrays;
    this.out = out;
  }

  /// Sets the wanted size of batches from now on. A batch that is already larger is not divided.
  public void limit(int newWantedBytes) {
    wantedBytes = newWantedBytes;
  }

  /// Returns the bytes gathered and not handed out.
  public int gatheredBytes() {
    return length;
  }

  /// Adds all records of a batch; their bytes are copied.
  public void add(RecordBatch batch, Bytes view) {
    // Room for all of it at once, or it would grow to that by doubling.
    long most = batch.dataLength() + (long) batch.size() * RECORD_OVERHEAD;
    reserve(Math.min(most, wantedBytes - Math.max(length, BatchLayout.RECORDS)));
    for (int i = 0; i < batch.size(); i++) {
      add(batch, i, view);
    }
  }

  private void add(RecordBatch batch, int index, Bytes view) {
    long timestamp = timestamp(batch, index);
    boolean hasKey = batch.hasKey(index);
    boolean hasValue = batch.hasValue(index);
    int keyLength = hasKey ? batch.key(index, view).length() : -1;
    int valueLength = hasValue ? batch.value(index, view).length() : -1;
    int headersLength = batch.hasHeaders(index) ? batch.headers(index, view).length() : 0;
    long most =
        (long) RECORD_OVERHEAD
            + Math.max(0, keyLength)
            + Math.max(0, valueLength)
            + Math.max(1, headersLength);
    if (count > 0 && length + most > wantedBytes) {
      finish();
    }
    reserve(most);
    if (count == 0) {
      baseTimestamp = timestamp;
      maxTimestamp = timestamp;
      length = BatchLayout.RECORDS;
    } else if (timestamp > maxTimestamp) {
      maxTimestamp = timestamp;
    }
    long timestampDelta = timestamp - baseTimestamp;
    int bodyLength =
        1
            + VarInts.sizeOf(VarInts.zigZag(timestampDelta))
            + VarInts.sizeOf(VarInts.zigZag(count))
            + VarInts.sizeOf(VarInts.zigZag(keyLength))
            + Math.max(0, keyLength)
            + VarInts.sizeOf(VarInts.zigZag(valueLength))
            + Math.max(0, valueLength)
            + (headersLength > 0 ? headersLength : 1);
    int at = VarInts.write(array, length, VarInts.zigZag(bodyLength));
    array[at++] = 0;
    at = VarInts.write(array, at, VarInts.zigZag(timestampDelta));
    at = VarInts.write(array, at, VarInts.zigZag(count));
    at = VarInts.write(array, at, VarInts.zigZag(keyLength));
    if (hasKey) {
      at = copy(batch.key(index, view), at);
    }
    at = VarInts.write(array, at, VarInts.zigZag(valueLength));
    if (hasValue) {
      at = copy(batch.value(index, view), at);
    }
    if (headersLength > 0) {
      at = copy(batch.headers(index, view), at);
    } else {
      array[at++] = 0;
    }
    length = at;
    count++;
  }

  private static long timestamp(RecordBatch batch, int index) {
    long timestamp = batch.timestamp(index);
    if (timestamp < 0) {
      throw new IllegalArgumentException(
          "The timestamp %d of record %d is before 1970, which Kafka does not accept."
              .formatted(timestamp, index));
    }
    return timestamp;
  }

  private int copy(Bytes from, int at) {
    System.arraycopy(from.array(), from.offset(), array, at, from.length());
    return at + from.length();
  }

  private void reserve(long more) {
    int needed = Math.toIntExact((count == 0 ? BatchLayout.RECORDS : length) + more);
    if (needed > array.length) {
      byte[] larger = arrays.grow(array, length, needed);
      arrays.release(array);
      array = larger;
    }
  }

  /// Passes on the collected records as a batch, if there are any.
  public void finish() {
    if (count == 0) {
      return;
    }
    int attributes = 0;
    if (compression.type() != CompressionType.NONE && compress()) {
      attributes = compression.type().id;
    }
    BatchLayout.putLong(array, BatchLayout.BASE_OFFSET, 0);
    BatchLayout.putInt(array, BatchLayout.LENGTH, length - BatchLayout.BEFORE_LENGTH);
    BatchLayout.putInt(array, BatchLayout.LEADER_EPOCH, UNKNOWN_EPOCH);
    array[BatchLayout.MAGIC] = BatchLayout.FORMAT;
    BatchLayout.putShort(array, BatchLayout.ATTRIBUTES, attributes);
    BatchLayout.putInt(array, BatchLayout.LAST_OFFSET_DELTA, count - 1);
    BatchLayout.putLong(array, BatchLayout.BASE_TIMESTAMP, baseTimestamp);
    BatchLayout.putLong(array, BatchLayout.MAX_TIMESTAMP, maxTimestamp);
    BatchLayout.putInt(array, BatchLayout.COUNT, count);
    EncodedBatch batch = new EncodedBatch(array, length, count, arrays);
    array = new byte[0];
    length = 0;
    count = 0;
    out.accept(batch);
  }

  /// Drops the collected records.
  public void clear() {
    length = 0;
    count = 0;
  }

  /// Compresses the batch. Records that do not become smaller are not compressed, because the batch
  /// might exceed the limit of the topic.
  ///
  /// @return whether it was
  private boolean compress() {
    ByteBufferOutputStream target =
        new ByteBufferOutputStream(ByteBuffer.allocate(Math.max(SMALLEST, length / 2)));
    target.position(BatchLayout.RECORDS);
    try (OutputStream stream = compression.wrapForOutput(target, BatchLayout.FORMAT)) {
      stream.write(array, BatchLayout.RECORDS, length - BatchLayout.RECORDS);
    } catch (IOException e) {
      throw new UncheckedIOException("Records cannot be compressed.", e);
    }
    ByteBuffer compressed = target.buffer();
    if (compressed.position() >= length) {
      return false;
    }
    length = compressed.position();
    arrays.release(array);
    array = new byte[length];
    compressed.flip().get(array);
    return true;
  }
}

package dev.millrace.spi;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// A batch of consecutive records of one split, or of records to be written to one. All records are
/// passed on in batches.
///
/// All keys, values and headers are in one byte array; offsets, timestamps and lengths are in
/// parallel arrays. A batch is filled by one thread, then only read. A null key or value has length
/// -1. Headers have Kafka's encoding ([Headers]); without headers their length is 0.
///
/// A batch counts its references: it starts with one, [#retain] adds one, and the last [#release]
/// returns it to its recycler. Views into it are invalid from then on.
public final class RecordBatch {
  /// Receives batches that have no references any more.
  @FunctionalInterface
  public interface Recycler {
    void recycle(RecordBatch batch);
  }

  private static final byte[] NO_DETAIL = {};

  private final Recycler recycler;
  private final AtomicInteger references = new AtomicInteger(1);
  private final BytesWriter data;

  private Split split = new Split("", 0);
  private byte[] detail = NO_DETAIL;
  private long nextOffset;
  private int size;
  private long[] offsets;
  private long[] timestamps;

  /// Three pairs of start and length a record: key, value, headers.
  private int[] spans;

  public RecordBatch(Recycler recycler, int initialRecords, int initialBytes) {
    this.recycler = recycler;
    data = new BytesWriter(initialBytes);
    offsets = new long[initialRecords];
    timestamps = new long[initialRecords];
    spans = new int[initialRecords * 6];
  }

  /// Creates a batch without a recycler; for tests and rare paths.
  public static RecordBatch create() {
    return new RecordBatch(batch -> {}, 16, 1024);
  }

  /// Empties the batch for reuse, with one reference.
  public RecordBatch reset(Split newSplit, byte[] newDetail, long firstOffset) {
    split = newSplit;
    detail = newDetail;
    nextOffset = firstOffset;
    size = 0;
    data.clear();
    references.set(1);
    return this;
  }

  /// Sets the origin of the records, if it was not known when bytes were written to [#data]. The
  /// bytes are kept; [#keyAt] and [#valueAt] assign them to records.
  public void origin(Split newSplit, byte[] newDetail, long firstOffset) {
    if (size > 0) {
      throw new IllegalStateException(
          "The origin of a batch of " + split + " cannot change after records were appended.");
    }
    split = newSplit;
    detail = newDetail;
    nextOffset = firstOffset;
  }

  /// Starts a record without key, value and headers; [#key] and the others then fill it.
  ///
  /// @param offset not below that of the record before
  /// @param timestamp milliseconds since 1970 (UTC)
  public void append(long offset, long timestamp) {
    if (size == offsets.length) {
      int capacity = Math.max(16, size * 2);
      offsets = Arrays.copyOf(offsets, capacity);
      timestamps = Arrays.copyOf(timestamps, capacity);
      spans = Arrays.copyOf(spans, capacity * 6);
    }
    offsets[size] = offset;
    timestamps[size] = timestamp;
    int at = size * 6;
    spans[at] = 0;
    spans[at + 1] = -1;
    spans[at + 2] = 0;
    spans[at + 3] = -1;
    spans[at + 4] = 0;
    spans[at + 5] = 0;
    nextOffset = offset + 1;
    size++;
  }

  /// Removes the record appended last, with the bytes written since `dataLength`.
  public void removeLast(int dataLength) {
    size--;
    data.truncate(dataLength);
  }

  /// Removes the last records, with the bytes written since `dataLength`.
  ///
  /// @param newSize the number of records to keep; at least one
  public void truncate(int newSize, int dataLength) {
    size = Objects.checkIndex(newSize - 1, size) + 1;
    nextOffset = offsets[newSize - 1] + 1;
    data.truncate(dataLength);
  }

  /// Returns the writer for serdes; afterwards [#endKey] and the like assign the bytes.
  public BytesWriter data() {
    return data;
  }

  /// Makes what was written to [#data] since `start` the key of the last record.
  public void endKey(int start) {
    span(0, start, data.length() - start);
  }

  /// Makes what was written to [#data] since `start` the value of the last record.
  public void endValue(int start) {
    span(2, start, data.length() - start);
  }

  /// Makes what was written to [#data] since `start` the headers of the last record.
  public void endHeaders(int start) {
    span(4, start, data.length() - start);
  }

  /// Makes bytes that were written to [#data] before the key of the last record.
  public void keyAt(int start, int length) {
    Objects.checkFromIndexSize(start, length, data.length());
    span(0, start, length);
  }

  /// Makes bytes that were written to [#data] before the value of the last record.
  public void valueAt(int start, int length) {
    Objects.checkFromIndexSize(start, length, data.length());
    span(2, start, length);
  }

  /// Sets key, value and headers of the last record to bytes of [#data], all at once; a length of
  /// -1 means a null key or value, and 0 no headers.
  public void place(
      int keyStart,
      int keyLength,
      int valueStart,
      int valueLength,
      int headersStart,
      int headersLength) {
    int at = (size - 1) * 6;
    spans[at] = keyStart;
    spans[at + 1] = keyLength;
    spans[at + 2] = valueStart;
    spans[at + 3] = valueLength;
    spans[at + 4] = headersStart;
    spans[at + 5] = headersLength;
  }

  /// Copies a key into the last record.
  public void key(byte[] array, int offset, int length) {
    copy(0, array, offset, length);
  }

  /// Copies a value into the last record.
  public void value(byte[] array, int offset, int length) {
    copy(2, array, offset, length);
  }

  /// Copies headers into the last record.
  public void headers(byte[] array, int offset, int length) {
    copy(4, array, offset, length);
  }

  private void copy(int which, byte[] array, int offset, int length) {
    int start = data.length();
    data.write(array, offset, length);
    span(which, start, length);
  }

  private void span(int which, int start, int length) {
    int at = (size - 1) * 6 + which;
    spans[at] = start;
    spans[at + 1] = length;
  }

  /// Sets the next offset: everything below it has been read, whether it has records or not.
  public void nextOffset(long offset) {
    nextOffset = offset;
  }

  /// Returns the split that the records come from or are written to.
  public Split split() {
    return split;
  }

  public int size() {
    return size;
  }

  public long offset(int index) {
    return offsets[Objects.checkIndex(index, size)];
  }

  /// Returns the timestamp of a record, in milliseconds since 1970 (UTC).
  public long timestamp(int index) {
    return timestamps[Objects.checkIndex(index, size)];
  }

  /// Returns the offset after the batch, where reading continues.
  public long nextOffset() {
    return nextOffset;
  }

  /// Returns the position where reading continues once the records before `index` are processed.
  public Position position(int index) {
    return new Position(index < size ? offsets[index] : nextOffset, detail);
  }

  public boolean hasKey(int index) {
    return spans[index * 6 + 1] >= 0;
  }

  public boolean hasValue(int index) {
    return spans[index * 6 + 3] >= 0;
  }

  public boolean hasHeaders(int index) {
    return spans[index * 6 + 5] > 0;
  }

  /// Sets `view` to the key, which must exist, and returns it.
  public Bytes key(int index, Bytes view) {
    return view.set(data.array(), spans[index * 6], spans[index * 6 + 1]);
  }

  /// Sets `view` to the value, which must exist, and returns it.
  public Bytes value(int index, Bytes view) {
    return view.set(data.array(), spans[index * 6 + 2], spans[index * 6 + 3]);
  }

  /// Sets `view` to the headers and returns it; it is empty if there are none.
  public Bytes headers(int index, Bytes view) {
    return view.set(data.array(), spans[index * 6 + 4], spans[index * 6 + 5]);
  }

  /// Returns the total bytes of keys, values and headers.
  public int dataLength() {
    return data.length();
  }

  /// Returns the memory that the batch holds in bytes, whether filled or not.
  public long memoryBytes() {
    return data.array().length
        + (long) offsets.length * (2 * Long.BYTES)
        + (long) spans.length * Integer.BYTES;
  }

  public RecordBatch retain() {
    if (references.getAndIncrement() <= 0) {
      throw new IllegalStateException("A batch of " + split + " was used after its release.");
    }
    return this;
  }

  public void release() {
    int left = references.decrementAndGet();
    if (left == 0) {
      recycler.recycle(this);
    } else if (left < 0) {
      throw new IllegalStateException("A batch of " + split + " was released twice.");
    }
  }

  /// Overwrites the bytes, so that a test detects code that kept a view too long.
  public void poison() {
    Arrays.fill(data.array(), (byte) 0xDB);
    Arrays.fill(spans, Integer.MIN_VALUE);
  }

  @Override
  public String toString() {
    return split + "[" + size + " records, next " + nextOffset + "]";
  }
}

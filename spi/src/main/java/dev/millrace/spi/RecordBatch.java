package dev.millrace.spi;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// Consecutive records of one split, or records on their way to one: the unit in which everything
/// moves.
///
/// All keys, values and headers lie in one byte array; what the batch knows of a record is a row of
/// numbers in parallel arrays. A batch is filled by one thread, then only read. A null key or value
/// has length -1. Headers lie in Kafka's own encoding ([Headers]); none has length 0.
///
/// A batch is counted: it starts with one reference, [#retain] adds one, and at the last [#release]
/// it goes back to where it came from. Views into it are invalid from then on.
public final class RecordBatch {
  /// Takes batches that nobody needs any more.
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

  /// A batch that belongs to nobody; for tests and rare paths.
  public static RecordBatch create() {
    return new RecordBatch(batch -> {}, 16, 1024);
  }

  /// Empties the batch for a new life with one reference.
  public RecordBatch reset(Split newSplit, byte[] newDetail, long firstOffset) {
    split = newSplit;
    detail = newDetail;
    nextOffset = firstOffset;
    size = 0;
    data.clear();
    references.set(1);
    return this;
  }

  /// Says where the records come from, if that was not known when bytes were written to [#data].
  /// They stay; [#keyAt] and [#valueAt] say which records they belong to.
  public void origin(Split newSplit, byte[] newDetail, long firstOffset) {
    if (size > 0) {
      throw new IllegalStateException(
          "A batch of " + split + " with records gets no other origin.");
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
  /// @param newSize how many stay; one at least
  public void truncate(int newSize, int dataLength) {
    size = Objects.checkIndex(newSize - 1, size) + 1;
    nextOffset = offsets[newSize - 1] + 1;
    data.truncate(dataLength);
  }

  /// Where serdes write; then [#endKey] and the others say what the bytes were.
  public BytesWriter data() {
    return data;
  }

  /// What was written to [#data] since `start` is the key of the last record.
  public void endKey(int start) {
    span(0, start, data.length() - start);
  }

  /// What was written to [#data] since `start` is the value of the last record.
  public void endValue(int start) {
    span(2, start, data.length() - start);
  }

  /// What was written to [#data] since `start` are the headers of the last record.
  public void endHeaders(int start) {
    span(4, start, data.length() - start);
  }

  /// Some bytes written to [#data] before are the key of the last record.
  public void keyAt(int start, int length) {
    Objects.checkFromIndexSize(start, length, data.length());
    span(0, start, length);
  }

  /// Some bytes written to [#data] before are the value of the last record.
  public void valueAt(int start, int length) {
    Objects.checkFromIndexSize(start, length, data.length());
    span(2, start, length);
  }

  /// Says where key, value and headers of the last record lie in [#data], all at once; a length of
  /// -1 is for a null key or value, and 0 for no headers.
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

  /// Copies the key of the last record in.
  public void key(byte[] array, int offset, int length) {
    copy(0, array, offset, length);
  }

  /// Copies the value of the last record in.
  public void value(byte[] array, int offset, int length) {
    copy(2, array, offset, length);
  }

  /// Copies the headers of the last record in.
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

  /// Says that everything below `offset` has been read, records or not.
  public void nextOffset(long offset) {
    nextOffset = offset;
  }

  /// Where these records come from or go to.
  public Split split() {
    return split;
  }

  public int size() {
    return size;
  }

  public long offset(int index) {
    return offsets[Objects.checkIndex(index, size)];
  }

  /// Milliseconds since 1970 (UTC).
  public long timestamp(int index) {
    return timestamps[Objects.checkIndex(index, size)];
  }

  /// The offset behind the batch; reading goes on there.
  public long nextOffset() {
    return nextOffset;
  }

  /// Where to read on once the records before `index` are done.
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

  /// Moves `view` over the key, which must exist.
  public Bytes key(int index, Bytes view) {
    return view.set(data.array(), spans[index * 6], spans[index * 6 + 1]);
  }

  /// Moves `view` over the value, which must exist.
  public Bytes value(int index, Bytes view) {
    return view.set(data.array(), spans[index * 6 + 2], spans[index * 6 + 3]);
  }

  /// Moves `view` over the headers; an empty view if there are none.
  public Bytes headers(int index, Bytes view) {
    return view.set(data.array(), spans[index * 6 + 4], spans[index * 6 + 5]);
  }

  /// The bytes of keys, values and headers together.
  public int dataLength() {
    return data.length();
  }

  /// The memory that the batch holds, filled or not.
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

  /// Overwrites the bytes, so that a test notices who kept a view too long.
  public void poison() {
    Arrays.fill(data.array(), (byte) 0xDB);
    Arrays.fill(spans, Integer.MIN_VALUE);
  }

  @Override
  public String toString() {
    return split + "[" + size + " records, next " + nextOffset + "]";
  }
}

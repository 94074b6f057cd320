package dev.millrace.internal.memory;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.RecordBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Some records of a partition that were written together: the copy of a batch, or what compaction
/// has left of several. Its records never change; where it begins, and in which transaction, is
/// said when it is appended, under the lock of the store.
final class Block {
  /// Three pairs of start and length a record: key, value, headers.
  static final int SPANS = 6;

  /// What a block takes on the heap beside its records: objects, headers of arrays, its entry in
  /// the partition.
  private static final int FRAME_BYTES = 200;

  private static final int RECORD_BYTES = Long.BYTES + SPANS * Integer.BYTES;

  private final byte[] data;
  private final int[] spans;
  private final long[] timestamps;

  /// The offset of each record; null if they follow one another without a gap.
  private final long @Nullable [] offsets;

  private final int largestRecord;
  private final boolean keyed;

  private long first;
  private long appendedMillis;
  private @Nullable Transaction transaction;

  private Block(
      byte[] data,
      int[] spans,
      long[] timestamps,
      long @Nullable [] offsets,
      int largestRecord,
      boolean keyed) {
    this.data = data;
    this.spans = spans;
    this.timestamps = timestamps;
    this.offsets = offsets;
    this.largestRecord = largestRecord;
    this.keyed = keyed;
  }

  /// Copies a batch that has records.
  static Block copyOf(RecordBatch batch) {
    int size = batch.size();
    int[] spans = new int[size * SPANS];
    long[] timestamps = new long[size];
    Bytes view = new Bytes();
    int largest = 0;
    boolean keyed = true;
    for (int i = 0; i < size; i++) {
      timestamps[i] = batch.timestamp(i);
      int at = i * SPANS;
      int bytes = 0;
      if (batch.hasKey(i)) {
        bytes += span(spans, at, batch.key(i, view));
      } else {
        spans[at + 1] = -1;
        keyed = false;
      }
      if (batch.hasValue(i)) {
        bytes += span(spans, at + 2, batch.value(i, view));
      } else {
        spans[at + 3] = -1;
      }
      if (batch.hasHeaders(i)) {
        bytes += span(spans, at + 4, batch.headers(i, view));
      }
      largest = Math.max(largest, bytes);
    }
    byte[] data = Arrays.copyOf(batch.data().array(), batch.dataLength());
    return new Block(data, spans, timestamps, null, largest, keyed);
  }

  private static int span(int[] spans, int at, Bytes view) {
    spans[at] = view.offset();
    spans[at + 1] = view.length();
    return view.length();
  }

  /// Copies records of other blocks, in order.
  ///
  /// @param from the block of each
  /// @param indexes of each in its block
  /// @param bytes of all keys, values and headers
  static Block of(Block[] from, int[] indexes, int count, int bytes) {
    byte[] data = new byte[bytes];
    int[] spans = new int[count * SPANS];
    long[] timestamps = new long[count];
    long[] offsets = new long[count];
    int end = 0;
    int largest = 0;
    for (int i = 0; i < count; i++) {
      Block source = from[i];
      int index = indexes[i];
      timestamps[i] = source.timestamps[index];
      offsets[i] = source.offset(index);
      int begin = end;
      for (int part = 0; part < SPANS; part += 2) {
        int start = source.spans[index * SPANS + part];
        int length = source.spans[index * SPANS + part + 1];
        spans[i * SPANS + part] = end;
        spans[i * SPANS + part + 1] = length;
        if (length > 0) {
          System.arraycopy(source.data, start, data, end, length);
          end += length;
        }
      }
      largest = Math.max(largest, end - begin);
    }
    Block block = new Block(data, spans, timestamps, offsets, largest, true);
    block.first = offsets[0];
    block.appendedMillis = from[count - 1].appendedMillis;
    return block;
  }

  /// Says where the block begins, and when and in which transaction it was appended.
  ///
  /// @param newTransaction null outside any
  /// @param stamped whether its records get the time when they were appended
  void place(long newFirst, long nowMillis, @Nullable Transaction newTransaction, boolean stamped) {
    first = newFirst;
    appendedMillis = nowMillis;
    transaction = newTransaction;
    if (stamped) {
      Arrays.fill(timestamps, nowMillis);
    }
  }

  /// Forgets the transaction, which was committed.
  void committed() {
    transaction = null;
  }

  boolean isOf(Transaction other) {
    return other.equals(transaction);
  }

  int size() {
    return timestamps.length;
  }

  /// Returns the offset of the first record.
  long first() {
    return first;
  }

  /// Returns the offset after the last record.
  long end() {
    return offset(size() - 1) + 1;
  }

  long offset(int index) {
    return offsets == null ? first + index : offsets[index];
  }

  long timestamp(int index) {
    return timestamps[index];
  }

  long appendedMillis() {
    return appendedMillis;
  }

  /// Returns the bytes of key, value and headers of the largest record.
  int largestRecord() {
    return largestRecord;
  }

  /// Returns whether every record has a key.
  boolean keyed() {
    return keyed;
  }

  boolean hasValue(int index) {
    return spans[index * SPANS + 3] >= 0;
  }

  /// Returns the bytes of key, value and headers of a record.
  int recordBytes(int index) {
    int at = index * SPANS;
    return Math.max(0, spans[at + 1]) + Math.max(0, spans[at + 3]) + spans[at + 5];
  }

  /// Sets `view` to the key of a record, which must have one, and returns it.
  Bytes key(int index, Bytes view) {
    return view.set(data, spans[index * SPANS], spans[index * SPANS + 1]);
  }

  /// Returns the memory that the block takes, in bytes.
  long memoryBytes() {
    long ofOffsets = offsets == null ? 0 : (long) offsets.length * Long.BYTES;
    return FRAME_BYTES + data.length + (long) size() * RECORD_BYTES + ofOffsets;
  }

  /// Appends the records from an offset on to a batch.
  void appendTo(RecordBatch batch, long from) {
    int base = batch.data().length();
    batch.data().write(data);
    for (int i = 0; i < size(); i++) {
      long offset = offset(i);
      if (offset >= from) {
        int at = i * SPANS;
        batch.append(offset, timestamps[i]);
        batch.place(
            base + spans[at],
            spans[at + 1],
            base + spans[at + 2],
            spans[at + 3],
            base + spans[at + 4],
            spans[at + 5]);
      }
    }
  }
}

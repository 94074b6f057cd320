package dev.millrace.benchmarks.micro;

import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;

/// What the benchmarks process: records with a key of 8 bytes and a value of 100 or of 8.
final class Records {
  /// As many as a task takes in one go.
  static final int SLICE = 2_048;

  static final int VALUE_BYTES = 100;

  /// A prime number: with this step as many records as there are keys visit each once, in no order.
  private static final long STEP = 1_000_003;

  private static final long TIME = 1_700_000_000_000L;

  private Records() {}

  /// The key of the n-th record.
  static long key(int index, int keys) {
    return index * STEP % keys;
  }

  /// Records whose values begin with their number.
  ///
  /// @param valueBytes 8 at least
  static RecordBatch batch(String stream, int count, int keys, int valueBytes) {
    RecordBatch batch = RecordBatch.create().reset(new Split(stream, 0), new byte[0], 0);
    for (int i = 0; i < count; i++) {
      batch.append(i, TIME + i);
      int start = batch.data().length();
      batch.data().writeLong(key(i, keys) ^ Long.MIN_VALUE);
      batch.endKey(start);
      start = batch.data().length();
      batch.data().writeLong(i ^ Long.MIN_VALUE);
      batch.data().write(new byte[valueBytes - Long.BYTES]);
      batch.endValue(start);
    }
    return batch;
  }
}

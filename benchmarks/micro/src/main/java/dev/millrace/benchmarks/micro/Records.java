package dev.millrace.benchmarks.micro;

import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.nio.ByteBuffer;
import java.util.Random;

/// What the benchmarks process: records with a key of 8 bytes and a value of 100 or of 8.
final class Records {
  /// As many as a task takes in one go.
  static final int SLICE = 2_048;

  static final int VALUE_BYTES = 100;

  private static final long SEED = 42;
  static final long TIME = 1_700_000_000_000L;

  private Records() {}

  /// Numbers from 0 on in an order without any, which is always the same.
  static int[] shuffled(int count) {
    Random random = new Random(SEED);
    int[] all = new int[count];
    for (int i = 1; i < count; i++) {
      int other = random.nextInt(i + 1);
      all[i] = all[other];
      all[other] = i;
    }
    return all;
  }

  /// The bytes of a key.
  static byte[] key(int number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number ^ Long.MIN_VALUE).array();
  }

  /// Records whose values begin with their number. Each key is there as often as the others, and in
  /// no order.
  ///
  /// @param valueBytes 8 at least
  static RecordBatch batch(String stream, int count, int keys, int valueBytes) {
    RecordBatch batch = RecordBatch.create().reset(new Split(stream, 0), new byte[0], 0);
    int[] order = shuffled(keys);
    for (int i = 0; i < count; i++) {
      batch.append(i, TIME + i);
      int start = batch.data().length();
      batch.data().write(key(order[i % keys]));
      batch.endKey(start);
      start = batch.data().length();
      batch.data().writeLong(i ^ Long.MIN_VALUE);
      batch.data().write(new byte[valueBytes - Long.BYTES]);
      batch.endValue(start);
    }
    return batch;
  }
}

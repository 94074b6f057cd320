package dev.millrace.internal.beam.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.Partitioner;

/// Keys that lead to a given partition, for rows that go to a task rather than to who has a key.
public final class Partitions {
  private final Bytes[] keys;

  /// @param count how many partitions there are
  public Partitions(int count) {
    keys = new Bytes[count];
    int left = count;
    for (int i = 0; left > 0; i++) {
      Bytes key = Bytes.ofUtf8("task-" + i);
      int partition = Partitioner.partition(key, count);
      if (keys[partition] == null) {
        keys[partition] = key;
        left--;
      }
    }
  }

  public int count() {
    return keys.length;
  }

  /// Returns a key that leads to a partition.
  public Bytes key(int partition) {
    return keys[partition];
  }
}

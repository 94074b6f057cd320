package dev.millrace.internal.engine.plan;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.RecordBatch;

/// Which of the keys of a partition a task has: those whose hash ends with some bits. All shares of
/// a partition together have each key once.
///
/// The hash is that of [Partitioner], mixed once more, since the partition follows from it, too.
///
/// @param bits how many bits count; 0 for all keys
/// @param ending what these bits are
public record KeyShare(int bits, int ending) {
  /// All keys.
  public static final KeyShare ALL = new KeyShare(0, 0);

  /// More often a task is not split: the hash has no more bits.
  public static final int MOST_BITS = 16;

  private static final int MIX_1 = 0x85ebca6b;
  private static final int MIX_2 = 0xc2b2ae35;

  public KeyShare {
    if (bits < 0 || bits > MOST_BITS || ending < 0 || ending >= 1 << bits) {
      throw new IllegalArgumentException("There are no keys that end with " + bits + " bits.");
    }
  }

  /// Returns whether it has all keys.
  public boolean isAll() {
    return bits == 0;
  }

  /// Returns whether it cannot be halved any more.
  public boolean isSmallest() {
    return bits == MOST_BITS;
  }

  /// Returns the half of its keys that the task keeps when it is split.
  public KeyShare kept() {
    return new KeyShare(bits + 1, ending);
  }

  /// Returns the other half, which a new task gets.
  public KeyShare splitOff() {
    return new KeyShare(bits + 1, ending | 1 << bits);
  }

  /// Returns whether it has a key.
  public boolean has(Bytes key) {
    int h = Partitioner.hash(key.array(), key.offset(), key.length());
    h = (h ^ h >>> 16) * MIX_1;
    h = (h ^ h >>> 13) * MIX_2;
    return ((h ^ h >>> 16) & (1 << bits) - 1) == ending;
  }

  /// Returns whether it has what has no key: one of all shares does.
  public boolean hasKeyless() {
    return ending == 0;
  }

  /// Returns whether it has a record.
  ///
  /// @param view is moved over its key
  public boolean has(RecordBatch batch, int index, Bytes view) {
    return batch.hasKey(index) ? has(batch.key(index, view)) : hasKeyless();
  }
}

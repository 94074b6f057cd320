package dev.millrace.internal.engine.plan;

import dev.millrace.api.serde.Bytes;

/// Which partition a key belongs to: the same as Kafka's own producer says, a Murmur2 hash of the
/// key's bytes (Austin Appleby's algorithm, seed 0x9747b28c) without its sign, modulo the
/// partitions.
public final class Partitioner {
  private static final int SEED = 0x9747b28c;
  private static final int M = 0x5bd1e995;

  private Partitioner() {}

  public static int partition(Bytes key, int partitions) {
    return (hash(key.array(), key.offset(), key.length()) & 0x7fffffff) % partitions;
  }

  /// Returns the hash of a key.
  public static int hash(byte[] array, int offset, int length) {
    int h = SEED ^ length;
    int end = offset + (length & ~3);
    for (int i = offset; i < end; i += 4) {
      int k =
          (array[i] & 0xff)
              | (array[i + 1] & 0xff) << 8
              | (array[i + 2] & 0xff) << 16
              | array[i + 3] << 24;
      k *= M;
      k ^= k >>> 24;
      k *= M;
      h = h * M ^ k;
    }
    int rest = length & 3;
    if (rest > 0) {
      if (rest == 3) {
        h ^= (array[end + 2] & 0xff) << 16;
      }
      if (rest >= 2) {
        h ^= (array[end + 1] & 0xff) << 8;
      }
      h ^= array[end] & 0xff;
      h *= M;
    }
    h ^= h >>> 13;
    h *= M;
    return h ^ h >>> 15;
  }
}

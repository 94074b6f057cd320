package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.state.cache.MutationCheck;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layers;
import dev.millrace.spi.Disk;

/// What the stores of one task share: the cache, the layers below it, and buffers to encode in.
final class Workbench {
  private static final int MOST_KEPT_BYTES = 1 << 20;

  final String task;
  final StateLimits limits;
  final ObjectCache cache;
  final Layers layers;
  final MutationCheck mutations = new MutationCheck();
  final CommitEncoder freezer = new CommitEncoder(this);

  /// The changelog key at work; lies in [#keyWriter] or in an array of the cache.
  final Bytes key = new Bytes();

  final BytesWriter keyWriter = new BytesWriter();
  BytesWriter valueWriter = new BytesWriter();

  /// The entry and the store's number of a [CachedStore#find] behind which nothing was asked for.
  int found = ByteTable.NONE;

  int foundIn;

  LargeValues largeValues = (_, _, _, _) -> {};

  /// The task's time, in milliseconds since 1970; it stands still between two commits.
  long clockMillis = Long.MIN_VALUE;

  long hits;
  long misses;

  Workbench(String task, Disk disk, StateLimits limits) {
    this.task = task;
    this.limits = limits;
    cache = new ObjectCache(limits.cacheBytes());
    layers = new Layers(task, disk);
  }

  /// Lets go of the memory that a large value has taken to be encoded.
  void trim() {
    if (valueWriter.array().length > MOST_KEPT_BYTES) {
      valueWriter = new BytesWriter();
    }
  }

  /// Sets the key at work.
  Bytes setKey(int store, Bytes encoded) {
    keyWriter.clear();
    keyWriter.writeShort(store);
    keyWriter.write(encoded);
    return keyWriter.view(key, 0);
  }
}

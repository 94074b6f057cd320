package dev.millrace.internal.state.rocksdb;

import dev.millrace.api.serde.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// Reads many keys in several lanes at once: a read that waits for the device holds up its own lane
/// only, and other processors may help. The first lane is the caller's own thread, which returns
/// when all have. Not thread-safe.
final class ReadLanes {
  /// More would not be read faster by a device that is asked for 4 KB at a time.
  static final int LANES = 4;

  /// Fewer keys are not worth the way to another thread.
  private static final int LEAST_KEYS = 128;

  private final ExecutorService helpers;
  private final List<BatchedGet> lanes = new ArrayList<>();

  ReadLanes(RocksDB database, ReadOptions readOptions, ExecutorService helpers) {
    this.helpers = helpers;
    for (int lane = 0; lane < LANES; lane++) {
      lanes.add(new BatchedGet(database, readOptions));
    }
  }

  void get(Bytes[] keys, int count, byte[] @Nullable [] values) throws RocksDBException {
    int used = Math.clamp(count / LEAST_KEYS, 1, LANES);
    List<Future<@Nullable Void>> others = new ArrayList<>();
    for (int lane = 1; lane < used; lane++) {
      BatchedGet get = lanes.get(lane);
      int start = (int) ((long) count * lane / used);
      int end = (int) ((long) count * (lane + 1) / used);
      others.add(
          helpers.submit(() -> {
            get.get(keys, start, end, values);
            return null;
          }));
    }
    try {
      lanes.getFirst().get(keys, 0, count / used, values);
    } finally {
      others.forEach(OtherThread::await);
    }
    for (Future<@Nullable Void> other : others) {
      OtherThread.rethrow(other);
    }
  }
}

package dev.millrace.internal.memory;

import dev.millrace.spi.Clock;
import java.util.List;
import java.util.concurrent.locks.Lock;

/// Compacts partitions: keeps the last record of each key, and that without a value for a while
/// only. So a changelog takes the memory of what is in the stores, not of what was ever changed.
/// Thread-safe.
///
/// Records are compared and copied outside the lock of the store. Offsets do not change.
final class Cleaner {
  private final Lock lock;
  private final Clock clock;

  /// @param lock of the store
  Cleaner(Lock lock, Clock clock) {
    this.lock = lock;
    this.clock = clock;
  }

  /// What a compaction begins with.
  ///
  /// @param before the offset below which all is committed
  /// @param dirty how many bytes of the blocks were committed since the last compaction
  /// @param tombstonesBelow the offset below which records without a value may go
  private record Work(List<Block> blocks, long before, long dirty, long tombstonesBelow) {}

  /// Compacts a partition if it is still due; waits for another compaction of it.
  void clean(Partition partition) {
    synchronized (partition.compaction()) {
      Work work = begin(partition);
      if (work.blocks.isEmpty()) {
        return;
      }
      List<Block> left = new LastRecords(work.blocks, work.tombstonesBelow).blocks();
      if (!finish(partition, work, left)) {
        replace(partition, work, new LastRecords(work.blocks, 0).blocks());
      }
    }
  }

  private Work begin(Partition partition) {
    lock.lock();
    try {
      long now = clock.millis();
      long before = partition.stableEnd();
      TopicSettings settings = partition.topic().settings();
      long old = partition.compaction().seenBy(now - settings.tombstonesMillis());
      partition.compaction().begin(before, now);
      return partition.topic().isDeleted() || !partition.isDirty()
          ? new Work(List.of(), before, 0, 0)
          : new Work(
              partition.committed(),
              before,
              partition.dirtyBytes(),
              Math.min(old, partition.slowest()));
    } finally {
      lock.unlock();
    }
  }

  /// @return whether nothing was removed that a reader misses who has begun meanwhile: it may have
  ///   read what a tombstone deletes, and not the tombstone
  private boolean finish(Partition partition, Work work, List<Block> left) {
    lock.lock();
    try {
      if (partition.slowest() < work.tombstonesBelow) {
        return false;
      }
      replace(partition, work, left);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void replace(Partition partition, Work work, List<Block> left) {
    lock.lock();
    try {
      if (!partition.topic().isDeleted()) {
        partition.replace(work.before, work.dirty, left);
      }
    } finally {
      lock.unlock();
    }
  }
}

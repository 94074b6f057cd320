package dev.millrace.internal.memory;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.Split;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where a reader stands in a partition. Guarded by the lock of the store.
final class Cursor {
  private final MemoryReader reader;
  private final Partition partition;
  private long next;
  private boolean paused;

  Cursor(MemoryReader reader, Partition partition, Position start) {
    this.reader = reader;
    this.partition = partition;
    next = start.offset();
  }

  Split split() {
    return partition.split();
  }

  Partition partition() {
    return partition;
  }

  /// Returns the offset that is read next.
  long next() {
    return next;
  }

  void next(long offset) {
    next = offset;
  }

  void paused(boolean newPaused) {
    paused = newPaused;
  }

  boolean hasData() {
    return !paused && next < partition.stableEnd();
  }

  boolean isPaused() {
    return paused;
  }

  /// Tells the reader that something has changed.
  void tell() {
    reader.tell();
  }

  /// Returns why the cursor cannot go on; null if it can.
  ///
  /// @param detail of the position where reading began; empty if it is not known
  @Nullable LogException obstacle(byte[] detail) {
    Topic topic = partition.topic();
    if (detail.length > 0 && !Arrays.equals(detail, topic.detail())) {
      return lost("it is one of another topic of that name. Was the topic created again?");
    }
    return obstacle();
  }

  @Nullable LogException obstacle() {
    if (partition.topic().isDeleted()) {
      return lost("the topic was deleted.");
    }
    if (next < partition.start()) {
      return lost(
          "the partition begins at %d, as the records before were deleted."
              .formatted(partition.start()));
    }
    if (next > partition.end()) {
      return lost("the partition ends at %d.".formatted(partition.end()));
    }
    return null;
  }

  private LogException lost(String why) {
    return new LogException(
        Kind.POSITION_LOST,
        split(),
        "Position %d of %s, in the log of this process, is lost: %s".formatted(next, split(), why),
        null);
  }
}

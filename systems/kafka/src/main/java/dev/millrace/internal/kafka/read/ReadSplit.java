package dev.millrace.internal.kafka.read;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import org.jspecify.annotations.Nullable;

/// A split of a [KafkaReader]: the batches of it that wait for their turn, and whether it can be
/// read.
final class ReadSplit {
  /// How far reading has come.
  enum State {
    /// Its position is to be found in the log.
    UNCHECKED,
    READING,
    FAILED
  }

  final Split split;

  /// What the fetcher moves on.
  final SplitPosition position;

  State state = State.UNCHECKED;
  @Nullable LogException failure;

  /// By the owner of the reader.
  boolean paused;

  /// By the reader, because enough is ready.
  boolean held;

  /// When the topic was first not found any more, 0 if it is there.
  long missingSinceNanos;

  /// The memory of what is ready, as it was last counted.
  private long countedBytes;

  ReadSplit(Split split, Position start) {
    this.split = split;
    position = new SplitPosition(split, start);
  }

  boolean hasReady() {
    return !paused && !position.ready.isEmpty();
  }

  /// Counts the memory of what is ready.
  ///
  /// @return how much more it is than the last time
  long count() {
    long bytes = 0;
    for (RecordBatch batch : position.ready) {
      bytes += batch.memoryBytes();
    }
    long more = bytes - countedBytes;
    countedBytes = bytes;
    return more;
  }

  /// @param why a sentence, with what was found and the way out
  void lose(String why) {
    fail(
        Kind.POSITION_LOST, "Position %d of %s is lost: %s".formatted(position.next(), split, why));
  }

  void fail(Kind kind, String message) {
    fail(new LogException(kind, split, message, null));
  }

  void fail(LogException why) {
    state = State.FAILED;
    failure = why;
  }
}

package dev.millrace.internal.engine.reset;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.spi.Log;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;

/// Deletes the entries of stores that no operator has any more from a changelog: reads a partition,
/// and writes a deletion for each of their keys on the way, some thousands in a transaction, which
/// ends with the task's commit record. What is not deleted when it fails is deleted by the next
/// attempt. Local state follows, as it restores the rest of the changelog. Takes no more memory for
/// more entries.
final class ParkedState {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final int MOST_KEYS = 2_000;
  private static final int MOST_BYTES = 256 * 1024;
  private static final int NUMBER_BYTES = 2;

  private final Log log;
  private final Waiting waiting;
  private final TransactionalWriter writer;
  private final Set<Integer> stores;
  private final LongConsumer progress;
  private final Set<Bytes> keys = new LinkedHashSet<>();
  private final Bytes view = new Bytes();
  private int bytes;
  private long next;
  private long removed;

  /// @param writer open
  /// @param stores their numbers
  /// @param progress is told how many entries were deleted so far
  ParkedState(
      Log log,
      Waiting waiting,
      TransactionalWriter writer,
      Set<Integer> stores,
      LongConsumer progress) {
    this.log = log;
    this.waiting = waiting;
    this.writer = writer;
    this.stores = stores;
    this.progress = progress;
  }

  /// Returns how many entries were deleted.
  long removed() {
    return removed;
  }

  /// Deletes what a partition of the changelog has of the stores.
  ///
  /// @param last commit of its task
  /// @throws ResetException if a deletion could not be committed
  void remove(Split task, CommitRecord last) {
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(task)).get(task));
    long end = offsets.stableEnd();
    next = offsets.start();
    CommitRecord commit = last;
    try (SplitReader reader = log.reader("parked")) {
      reader.add(task, Position.of(next));
      while (next < end) {
        waiting.until(
            () -> readOn(reader),
            () -> "%s could be read only up to offset %d of %d.".formatted(task, next, end));
        if (keys.size() >= MOST_KEYS || bytes >= MOST_BYTES || next >= end) {
          commit = delete(task, commit);
        }
      }
    }
  }

  /// Returns whether anything was read.
  private boolean readOn(SplitReader reader) {
    RecordBatch batch = reader.poll(POLL);
    if (batch == null) {
      return false;
    }
    try {
      for (int i = 0; i < batch.size(); i++) {
        if (batch.hasKey(i)) {
          take(batch.key(i, view), batch.hasValue(i));
        }
      }
      next = batch.nextOffset();
    } finally {
      batch.release();
    }
    return true;
  }

  private void take(Bytes key, boolean hasValue) {
    boolean ours =
        key.length() >= NUMBER_BYTES
            && stores.contains((key.get(0) & 0xFF) << 8 | (key.get(1) & 0xFF));
    if (ours && hasValue && keys.add(key.copy())) {
      bytes += key.length();
    } else if (ours && !hasValue && keys.remove(key)) {
      bytes -= key.length();
    }
  }

  /// Deletes the keys that were collected.
  ///
  /// @return the commit of it
  private CommitRecord delete(Split task, CommitRecord last) {
    if (keys.isEmpty()) {
      return last;
    }
    RecordBatch batch = RecordBatch.create().reset(task, new byte[0], 0);
    long millis = Math.max(0, waiting.clock().millis());
    int count = 0;
    for (Bytes key : keys) {
      batch.append(count++, millis);
      batch.key(key.array(), key.offset(), key.length());
    }
    CommitRecord commit = last.next(last.inputs());
    commit.appendTo(batch, count, millis);
    writer.send(task, batch);
    if (waiting.commit(writer) != Outcome.COMMITTED) {
      throw new ResetException(
          "State in %s could not be removed to its end: %s Run the command again."
              .formatted(task, writer.failure()));
    }
    removed += count;
    keys.clear();
    bytes = 0;
    progress.accept(removed);
    return commit;
  }
}

package dev.millrace.internal.engine.chain;

import dev.millrace.spi.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A place that an [Outbox] can go back to: how far each of its splits was that was written to
/// since.
final class OutboxMark {
  private final Outbox outbox;
  private final List<Noted> noted = new ArrayList<>();
  private int fullBefore;

  /// How far the batch of a split was.
  private record Noted(
      Outbox.Stream stream, int partition, @Nullable RecordBatch batch, int size, int dataLength) {}

  OutboxMark(Outbox outbox) {
    this.outbox = outbox;
  }

  /// Sets the mark.
  ///
  /// @param full how many batches are full
  void set(int full) {
    noted.clear();
    fullBefore = full;
  }

  /// Notes how far a split is, before it is written to.
  void note(Outbox.Stream stream, int partition, @Nullable RecordBatch batch) {
    int size = batch == null ? 0 : batch.size();
    int dataLength = batch == null ? 0 : batch.dataLength();
    noted.add(new Noted(stream, partition, batch, size, dataLength));
  }

  /// Removes what was added since the mark.
  ///
  /// @param full the batches that are full now
  void undo(List<RecordBatch> full) {
    List<RecordBatch> closed = full.subList(fullBefore, full.size());
    for (Noted each : noted) {
      RecordBatch before = each.batch;
      RecordBatch now = each.stream.open[each.partition];
      if (now != null && now != before) {
        outbox.count(now, 1); // as if it had been complete
        now.release();
      }
      if (before != null) {
        if (closed.remove(before)) {
          outbox.count(before, -1);
        }
        before.truncate(each.size, each.dataLength);
      }
      each.stream.open[each.partition] = before;
    }
    closed.forEach(RecordBatch::release);
    closed.clear();
    noted.clear();
  }
}

package dev.millrace.internal.engine.exchange;

import dev.millrace.spi.RecordBatch;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// The queue from one worker to another, or to itself: batches in the order in which they were
/// sent, and between them the barriers of commits.
///
/// A roll-back starts a new attempt; what was sent in an earlier one is passed over.
final class Lane {
  /// @param exchange the number of the exchange
  /// @param batch null for the barrier: all that the sender has for the exchange before its commit
  ///   lies before it
  private record Item(int attempt, int exchange, @Nullable RecordBatch batch) {}

  private final Queue<Item> items = new ConcurrentLinkedQueue<>();
  private final int exchanges;
  private int barriers;

  /// @param exchanges how many go through it
  Lane(int exchanges) {
    this.exchanges = exchanges;
  }

  /// For the sender.
  void send(int attempt, int exchange, RecordBatch batch) {
    items.add(new Item(attempt, exchange, batch));
  }

  /// For the sender.
  void barrier(int attempt, int exchange) {
    items.add(new Item(attempt, exchange, null));
  }

  /// Takes out what is there, up to the last barrier of a commit. For the receiver.
  ///
  /// @param barrier is told the number of an exchange whose barrier comes
  /// @return whether there was anything
  boolean receive(int attempt, Consumer<RecordBatch> to, IntConsumer barrier) {
    boolean any = false;
    while (goesOn()) {
      Item item = items.poll();
      if (item == null) {
        break;
      }
      any = true;
      RecordBatch batch = item.batch;
      if (item.attempt != attempt) {
        release(batch);
      } else if (batch != null) {
        to.accept(batch);
      } else {
        barriers++;
        barrier.accept(item.exchange);
      }
    }
    return any;
  }

  /// Whether there is something to be taken out. For the receiver.
  boolean hasMore() {
    return goesOn() && !items.isEmpty();
  }

  /// Not behind the barriers: what lies there belongs to the next commit.
  private boolean goesOn() {
    return barriers < exchanges;
  }

  /// The receiver's part of the commit is frozen: what lies behind the barriers may come.
  void passBarriers() {
    barriers = 0;
  }

  /// Drops what is there. For the receiver.
  void clear() {
    barriers = 0;
    for (Item item = items.poll(); item != null; item = items.poll()) {
      release(item.batch);
    }
  }

  private static void release(@Nullable RecordBatch batch) {
    if (batch != null) {
      batch.release();
    }
  }
}

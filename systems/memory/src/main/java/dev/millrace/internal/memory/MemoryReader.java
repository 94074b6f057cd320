package dev.millrace.internal.memory;

import dev.millrace.spi.BatchPool;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/// Reads partitions in turn. The lock of the store is taken once a batch, and not at all while
/// nothing has changed.
final class MemoryReader implements SplitReader {
  private static final long BATCH_BYTES = 256 << 10;

  private final MemoryStore store;
  private final BatchPool pool;
  private final Condition told;
  private final Map<Split, Cursor> cursors = new LinkedHashMap<>();

  /// The same, in the order in which they get their turn.
  private final List<Cursor> turns = new ArrayList<>();

  private final List<Block> taken = new ArrayList<>();
  private @Nullable LogException failure;
  private int turn;
  private boolean woken;

  /// Whether there may be something to read; false only if there is not.
  private volatile boolean news;

  MemoryReader(MemoryStore store, BatchPool pool) {
    this.store = store;
    this.pool = pool;
    told = store.lock().newCondition();
  }

  @Override
  public void add(Split split, Position start) {
    if (cursors.containsKey(split)) {
      throw new IllegalStateException("Split " + split + " is being read already.");
    }
    store.lock().lock();
    try {
      Cursor cursor = new Cursor(this, store.partition(split), start);
      LogException obstacle = cursor.obstacle(start.detail());
      if (obstacle != null) {
        throw obstacle;
      }
      cursor.partition().add(cursor);
      cursors.put(split, cursor);
      turns.add(cursor);
      news = true;
    } finally {
      store.lock().unlock();
    }
  }

  @Override
  public void remove(Split split) {
    Cursor cursor = cursors.remove(split);
    if (cursor == null) {
      return;
    }
    store.lock().lock();
    try {
      turns.remove(cursor);
      cursor.partition().remove(cursor);
      if (failure != null && Objects.equals(failure.split(), split)) {
        failure = null;
      }
      news = true;
    } finally {
      store.lock().unlock();
    }
  }

  @Override
  public void pause(Split split) {
    halt(split, true);
  }

  @Override
  public void resume(Split split) {
    halt(split, false);
  }

  private void halt(Split split, boolean paused) {
    Cursor cursor = cursor(split);
    store.lock().lock();
    try {
      cursor.paused(paused);
      news = true;
    } finally {
      store.lock().unlock();
    }
  }

  private Cursor cursor(Split split) {
    Cursor cursor = cursors.get(split);
    if (cursor == null) {
      throw new IllegalStateException("Split " + split + " is not being read.");
    }
    return cursor;
  }

  @Override
  public @Nullable RecordBatch poll(Duration atMost) {
    if (!news && !atMost.isPositive()) {
      return null;
    }
    Cursor cursor;
    long from;
    long to;
    store.lock().lock();
    try {
      cursor = await(atMost.toNanos());
      if (cursor == null) {
        return null;
      }
      from = cursor.next();
      to = cursor.partition().collect(from, BATCH_BYTES, taken);
      cursor.next(to);
    } finally {
      store.lock().unlock();
    }
    RecordBatch batch = pool.take(cursor.split(), cursor.partition().topic().detail(), from);
    for (Block block : taken) {
      block.appendTo(batch, from);
    }
    taken.clear();
    batch.nextOffset(to);
    return batch;
  }

  /// Waits for a cursor that has data, and returns it; null if none has in time.
  private @Nullable Cursor await(long atMostNanos) {
    long left = atMostNanos;
    while (true) {
      Cursor cursor = nextInTurn();
      if (cursor != null) {
        return cursor;
      }
      news = false;
      if (left <= 0) {
        return null;
      }
      if (woken) {
        woken = false;
        return null;
      }
      try {
        left = told.awaitNanos(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
    }
  }

  private @Nullable Cursor nextInTurn() {
    if (failure != null) {
      throw failure;
    }
    for (int i = 0; i < turns.size(); i++) {
      turn = turn + 1 < turns.size() ? turn + 1 : 0;
      Cursor cursor = turns.get(turn);
      if (cursor.isPaused()) {
        continue;
      }
      failure = cursor.obstacle();
      if (failure != null) {
        throw failure;
      }
      if (cursor.hasData()) {
        return cursor;
      }
    }
    return null;
  }

  @Override
  public long endOffset(Split split) {
    return cursor(split).partition().stableEnd();
  }

  /// Says that there may be something to read. To be called under the lock of the store.
  void tell() {
    news = true;
    told.signal();
  }

  @Override
  public void wakeup() {
    store.lock().lock();
    try {
      woken = true;
      told.signal();
    } finally {
      store.lock().unlock();
    }
  }

  @Override
  public void close() {
    List.copyOf(cursors.keySet()).forEach(this::remove);
  }
}

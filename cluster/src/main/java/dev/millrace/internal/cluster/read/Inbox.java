package dev.millrace.internal.cluster.read;

import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One reader for several splits whose owners take what has come at different times, so that a
/// member has one connection and one request to its broker, and a thread can wait for all of them.
///
/// A failure of the reader is told to the owner of each split once; the reader is closed then, and
/// each of them begins again. Used by one thread, except [#wakeup].
public final class Inbox implements AutoCloseable {
  private final Log log;
  private final String role;
  private final Map<Split, Arrived> splits = new LinkedHashMap<>();

  /// Whether something has come since the last wait.
  private boolean news;

  private volatile @Nullable SplitReader reader;
  private volatile @Nullable Thread waiting;
  private volatile boolean woken;

  private static final class Arrived {
    private final Queue<RecordBatch> batches = new ArrayDeque<>();
    private @Nullable LogException failure;

    private boolean isReady() {
      return failure != null || !batches.isEmpty();
    }
  }

  /// @param role of the reader, for the logs of brokers
  public Inbox(Log log, String role) {
    this.log = log;
    this.role = role;
  }

  /// Begins to read a split that is not being read.
  ///
  /// @throws LogException if it cannot be read now
  public void add(Split split, Position from) {
    SplitReader opened = reader;
    if (opened == null) {
      opened = log.reader(role);
      reader = opened;
    }
    splits.put(split, new Arrived());
    try {
      opened.add(split, from);
    } catch (LogException e) {
      remove(split);
      throw e;
    }
  }

  /// Stops to read a split, if it is being read.
  public void remove(Split split) {
    Arrived removed = splits.remove(split);
    if (removed == null) {
      return;
    }
    removed.batches.forEach(RecordBatch::release);
    SplitReader from = reader;
    if (from == null) {
      return;
    }
    if (splits.isEmpty()) {
      reader = null;
      from.close();
    } else {
      from.remove(split);
    }
  }

  /// Returns the next batch of a split that is being read, which the caller releases; null if none
  /// has come. Never waits.
  ///
  /// @throws LogException if it cannot be read on
  public @Nullable RecordBatch next(Split split) {
    Arrived of = splits.get(split);
    if (of == null) {
      return null;
    }
    boolean more = true;
    while (more && !of.isReady()) {
      more = take(Duration.ZERO);
    }
    LogException failure = of.failure;
    if (failure != null && of.batches.isEmpty()) {
      of.failure = null;
      throw failure;
    }
    return of.batches.poll();
  }

  /// Waits until something comes, or for [#wakeup]. Does not wait if something has come since the
  /// last wait and was not taken.
  public void await(Duration atMost) {
    boolean ready = woken || (news && splits.values().stream().anyMatch(Arrived::isReady));
    if (!ready && reader != null) {
      take(atMost);
    } else if (!ready) {
      waiting = Thread.currentThread();
      if (!woken) {
        LockSupport.parkNanos(this, atMost.toNanos());
      }
      waiting = null;
    }
    news = false;
    woken = false; // whatever it was for is looked at now
  }

  /// @return whether a batch or a failure has come
  private boolean take(Duration atMost) {
    SplitReader from = reader;
    if (from == null) {
      return false;
    }
    RecordBatch batch;
    try {
      batch = from.poll(atMost);
    } catch (LogException e) {
      failed(from, e);
      news = true;
      return true;
    }
    if (batch == null) {
      return false;
    }
    news = true;
    Arrived of = splits.get(batch.split());
    if (of == null) {
      batch.release();
    } else {
      of.batches.add(batch);
    }
    return true;
  }

  private void failed(SplitReader from, LogException e) {
    Split lost = e.split();
    Arrived of = lost == null ? null : splits.get(lost);
    if (lost != null && of != null) {
      of.failure = e;
      from.remove(lost); // the others can be read on
      return;
    }
    reader = null;
    splits.values().forEach(each -> each.failure = e);
    from.close();
  }

  /// Ends a wait, or the next one. Thread-safe.
  public void wakeup() {
    woken = true;
    SplitReader of = reader;
    if (of != null) {
      of.wakeup();
    }
    LockSupport.unpark(waiting);
  }

  /// Lets go of the log; splits can be added again.
  @Override
  public void close() {
    SplitReader closing = reader;
    reader = null;
    splits.values().forEach(each -> each.batches.forEach(RecordBatch::release));
    splits.clear();
    if (closing != null) {
      closing.close();
    }
  }
}

package dev.millrace.internal.kafka.read;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/// Reads splits with a [RecordFetcher].
///
/// A split that is added waits for a [PositionCheck] before the fetcher sees it, and what was
/// fetched waits for one whenever the fetcher has heard of the topics anew. What a poll gave is
/// kept with the splits' positions as batches; they are returned in turn.
public final class KafkaReader implements SplitReader {
  private static final long NAP_NANOS = 500_000;
  private static final long MILLI_NANOS = 1_000_000;

  /// How many batches of a split are fetched ahead while its owner takes none.
  private static final int AHEAD = 2;

  private final RecordFetcher fetcher;
  private final ReadSplits splits;
  private final SplitChecks checks;
  private final EndCheck ends;
  private final ReadFailures failures;

  /// Each split with batches that are ready, once.
  private final ArrayDeque<ReadSplit> turn = new ArrayDeque<>();

  private final long mostAheadBytes;
  private long aheadBytes;
  private boolean closed;
  private volatile boolean woken;
  private volatile @Nullable Thread napping;

  /// @param mostAheadBytes what may be fetched ahead
  public KafkaReader(RecordFetcher fetcher, Admin admin, long mostAheadBytes) {
    this.fetcher = fetcher;
    this.mostAheadBytes = mostAheadBytes;
    splits = new ReadSplits(fetcher);
    checks = new SplitChecks(admin, fetcher, splits, this::drop);
    ends = new EndCheck(admin);
    failures = new ReadFailures(splits, checks);
  }

  @Override
  public void add(Split split, Position start) {
    requireOpen();
    ReadSplit added = splits.add(split, start);
    if (start.offset() < 0) {
      added.lose("offsets begin at 0.");
      splits.lookForFailures();
    }
    checks.want();
  }

  @Override
  public void remove(Split split) {
    requireOpen();
    ReadSplit removed = splits.remove(split);
    if (removed != null) {
      drop(removed);
    }
  }

  @Override
  public void pause(Split split) {
    split(split).paused = true;
  }

  @Override
  public void resume(Split split) {
    split(split).paused = false;
  }

  @Override
  public long endOffset(Split asked) {
    ReadSplit split = split(asked);
    if (splits.isAssigned(split)) {
      split.position.stableEnd(fetcher.stableEnd(split.position));
    }
    return ends.endOf(split.position, splits::positions, System.nanoTime());
  }

  @Override
  public boolean isFound(Split asked) {
    ReadSplit split = split(asked);
    failures.throwFailure(split);
    return split.state == ReadSplit.State.READING;
  }

  private ReadSplit split(Split split) {
    requireOpen();
    return splits.get(split);
  }

  @Override
  public @Nullable RecordBatch poll(Duration atMost) {
    requireOpen();
    long start = System.nanoTime();
    long patience = atMost.toNanos();
    while (true) {
      RecordBatch batch = nextReady();
      if (batch != null) {
        return batch;
      }
      long left = patience - (System.nanoTime() - start);
      if (!fetch(Math.max(0, left))) {
        return null;
      }
      if (left <= 0) {
        return nextReady();
      }
    }
  }

  private @Nullable RecordBatch nextReady() {
    checks.advance();
    failures.throwFirst();
    return checks.isTrusted() ? nextInTurn() : null;
  }

  private @Nullable RecordBatch nextInTurn() {
    for (int i = turn.size(); i > 0; i--) {
      ReadSplit split = turn.remove();
      if (!split.hasReady()) {
        turn.add(split);
        continue;
      }
      RecordBatch batch = split.position.ready.remove();
      aheadBytes += split.count();
      if (!split.position.ready.isEmpty()) {
        turn.add(split);
      }
      if (split.held && !hasEnough(split)) {
        split.held = false;
        if (splits.isAssigned(split)) {
          fetcher.resume(split.position);
        }
      }
      return batch;
    }
    return null;
  }

  /// Waits for records, or for a check.
  ///
  /// @return false if the wait was ended by somebody
  private boolean fetch(long nanos) {
    if (!splits.anyAssigned() || !checks.isTrusted()) {
      return nap(nanos);
    }
    long wait = inWholeMillis(checks.isUnderWay() ? Math.min(nanos, NAP_NANOS) : nanos);
    splits.letGo();
    try {
      take(fetcher.poll(Duration.ofNanos(wait)));
      return true;
    } catch (WakeupException e) {
      woken = false;
      return false;
    } catch (InterruptException e) {
      throw new LogException(
          Kind.UNAVAILABLE, "The thread was interrupted while it was reading.", e);
    } catch (KafkaException e) {
      failures.take(e);
      return true;
    }
  }

  /// Kafka's clients wait in milliseconds; in less they would not wait but spin.
  private static long inWholeMillis(long nanos) {
    return (nanos + MILLI_NANOS - 1) / MILLI_NANOS * MILLI_NANOS;
  }

  private boolean nap(long nanos) {
    if (nanos > 0 && !woken) {
      napping = Thread.currentThread();
      if (!woken) {
        // Who has no splits has nothing to look for.
        LockSupport.parkNanos(this, splits.all().isEmpty() ? nanos : Math.min(nanos, NAP_NANOS));
      }
      napping = null;
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new LogException(Kind.UNAVAILABLE, "The thread was interrupted while it was reading.");
    }
    if (woken && nanos > 0) {
      woken = false;
      return false;
    }
    return true;
  }

  private void take(Collection<SplitPosition> moved) {
    for (SplitPosition position : moved) {
      ReadSplit split = Objects.requireNonNull(splits.assigned(position.partition));
      aheadBytes += split.count();
      if (!turn.contains(split)) {
        turn.add(split);
      }
      if (!split.held && hasEnough(split)) {
        split.held = true;
        fetcher.pause(position);
      }
    }
  }

  /// What is not wanted now, or is much of what may be held, is not fetched on.
  private boolean hasEnough(ReadSplit split) {
    int ready = split.position.ready.size();
    return ready >= AHEAD || (ready > 0 && (split.paused || aheadBytes > mostAheadBytes));
  }

  @Override
  public long aheadBytes() {
    return aheadBytes + fetcher.heldBytes();
  }

  /// Forgets what was fetched.
  private void drop(ReadSplit split) {
    turn.remove(split);
    split.position.ready.forEach(RecordBatch::release);
    split.position.ready.clear();
    aheadBytes += split.count();
  }

  @Override
  public void wakeup() {
    woken = true;
    LockSupport.unpark(napping);
    fetcher.wakeup();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    splits.all().forEach(this::drop);
    splits.clear();
    fetcher.close();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("This reader is closed.");
    }
  }
}

package dev.millrace.benchmarks.nexmark.source;

import dev.millrace.spi.BatchPool;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Reads numbers, a batch of one split at a time, each split in turn.
final class NumberReader implements SplitReader {
  private static final int BATCH = 2_000;

  private final Numbers numbers;
  private final BatchPool pool = new BatchPool();
  private final List<Reading> turns = new ArrayList<>();
  private final Semaphore woken = new Semaphore(0);
  private int next;

  private static final class Reading {
    private final Split split;
    private final long end;
    private long offset;
    private boolean paused;

    private Reading(Split split, long offset, long end) {
      this.split = split;
      this.offset = offset;
      this.end = end;
    }
  }

  NumberReader(Numbers numbers) {
    this.numbers = numbers;
  }

  @Override
  public void add(Split split, Position start) {
    long end = numbers.size(split);
    if (start.offset() > end) {
      throw new LogException(
          Kind.POSITION_LOST,
          split,
          "Split %s was read to %,d and has only %,d events. Generate as many as before."
              .formatted(split, start.offset(), end),
          null);
    }
    turns.add(new Reading(split, start.offset(), end));
  }

  @Override
  public void remove(Split split) {
    turns.removeIf(each -> each.split.equals(split));
  }

  @Override
  public void pause(Split split) {
    of(split).paused = true;
  }

  @Override
  public void resume(Split split) {
    of(split).paused = false;
  }

  private Reading of(Split split) {
    Reading found = find(split);
    if (found == null) {
      throw new IllegalStateException(split + " is not being read.");
    }
    return found;
  }

  private @Nullable Reading find(Split split) {
    for (Reading each : turns) {
      if (each.split.equals(split)) {
        return each;
      }
    }
    return null;
  }

  @Override
  public @Nullable RecordBatch poll(Duration atMost) {
    RecordBatch batch = look();
    if (batch != null || atMost.isZero()) {
      return batch;
    }
    try {
      // Nothing comes by itself: what is paused or at its end stays so until somebody says more.
      var _ = woken.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
    return look();
  }

  private @Nullable RecordBatch look() {
    for (int i = 0; i < turns.size(); i++) {
      Reading reading = turns.get((next + i) % turns.size());
      if (!reading.paused && reading.offset < reading.end) {
        next = (next + i + 1) % turns.size();
        return read(reading);
      }
    }
    return null;
  }

  private RecordBatch read(Reading reading) {
    RecordBatch batch = pool.take(reading.split, new byte[0], reading.offset);
    long until = Math.min(reading.offset + BATCH, reading.end);
    for (long offset = reading.offset; offset < until; offset++) {
      long number = numbers.number(reading.split, offset);
      batch.append(offset, numbers.time().applyAsLong(number));
      numbers.content().write(number, batch);
    }
    reading.offset = until;
    return batch;
  }

  @Override
  public long endOffset(Split split) {
    Reading found = find(split);
    return found == null ? -1 : found.end;
  }

  @Override
  public void wakeup() {
    woken.release();
  }

  @Override
  public void close() {
    turns.clear();
  }
}

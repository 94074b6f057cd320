package dev.millrace.files;

import dev.millrace.spi.BatchPool;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Reads files line by line, a batch of lines at a time.
final class LineFileReader implements SplitReader {
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final LineFileSplits source;
  private final BatchPool pool = new BatchPool();
  private final Map<Split, OpenFile> files = new LinkedHashMap<>();
  private final List<OpenFile> turns = new ArrayList<>();
  private final Semaphore woken = new Semaphore(0);
  private int next;

  LineFileReader(LineFileSplits source) {
    this.source = source;
  }

  @Override
  public void add(Split split, Position start) {
    OpenFile opened = OpenFile.open(source, split, start);
    files.put(split, opened);
    turns.add(opened);
  }

  @Override
  public void remove(Split split) {
    OpenFile removed = files.remove(split);
    if (removed != null) {
      turns.remove(removed);
      removed.close();
    }
  }

  @Override
  public void pause(Split split) {
    of(split).paused = true;
  }

  @Override
  public void resume(Split split) {
    of(split).paused = false;
  }

  private OpenFile of(Split split) {
    OpenFile file = files.get(split);
    if (file == null) {
      throw new IllegalStateException(split + " is not being read.");
    }
    return file;
  }

  @Override
  public @Nullable RecordBatch poll(Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      RecordBatch batch = look();
      long left = end - System.nanoTime();
      if (batch != null || atMost.isZero() || left <= 0) {
        return batch;
      }
      try {
        if (woken.tryAcquire(Math.min(left, LOOK_AGAIN_NANOS), TimeUnit.NANOSECONDS)) {
          return look();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
    }
  }

  private @Nullable RecordBatch look() {
    for (int i = 0; i < turns.size(); i++) {
      OpenFile file = turns.get((next + i) % turns.size());
      if (!file.paused) {
        RecordBatch batch = file.read(pool);
        if (batch != null) {
          next = (next + i + 1) % turns.size();
          return batch;
        }
      }
    }
    return null;
  }

  @Override
  public long endOffset(Split split) {
    OpenFile file = files.get(split);
    return file == null ? -1 : file.end();
  }

  @Override
  public void wakeup() {
    woken.release();
  }

  @Override
  public void close() {
    turns.forEach(OpenFile::close);
    turns.clear();
    files.clear();
  }
}

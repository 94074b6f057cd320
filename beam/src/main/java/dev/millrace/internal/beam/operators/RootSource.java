package dev.millrace.internal.beam.operators;

import dev.millrace.api.connector.Source;
import dev.millrace.api.connector.Start;
import dev.millrace.api.function.EventTime;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.state.BytesSerde;
import dev.millrace.spi.BatchPool;
import dev.millrace.spi.ExternalSource;
import dev.millrace.spi.Log.Offsets;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What the tasks of a pipeline's roots read: one record in the first split, and none in the
/// others.
///
/// @param splits how many there are, one for each task
/// @param records how many the first split has: 1 for an impulse, 0 where the task reads by itself
public record RootSource(String stream, int splits, int records) implements ExternalSource<Bytes> {
  private static final byte[] NO_DETAIL = {};

  @Override
  public Serde<Bytes> valueSerde() {
    return BytesSerde.INSTANCE;
  }

  @Override
  public @Nullable EventTime<Bytes> eventTime() {
    return null;
  }

  @Override
  public Duration disorder() {
    return Duration.ZERO;
  }

  @Override
  public boolean bounded() {
    return true;
  }

  @Override
  public Source<Bytes> asBounded() {
    return this;
  }

  @Override
  public Start start() {
    return Start.earliest();
  }

  @Override
  public Connection connect() {
    return new Splits();
  }

  private int records(Split split) {
    return split.partition() == 0 ? records : 0;
  }

  private final class Splits implements Connection {
    @Override
    public int splits() {
      return splits;
    }

    @Override
    public Map<Split, Offsets> offsets(Collection<Split> of) {
      Map<Split, Offsets> offsets = new LinkedHashMap<>();
      of.forEach(split -> offsets.put(split, new Offsets(0, records(split), records(split))));
      return offsets;
    }

    @Override
    public Map<Split, Long> offsetsAt(Collection<Split> of, Instant time) {
      Map<Split, Long> offsets = new LinkedHashMap<>();
      of.forEach(split -> offsets.put(split, 0L));
      return offsets;
    }

    @Override
    public SplitReader reader(String clientId) {
      return new Reader();
    }

    @Override
    public void close() {
      // It holds nothing.
    }
  }

  private final class Reader implements SplitReader {
    private final BatchPool pool = new BatchPool();
    private final ArrayDeque<Split> left = new ArrayDeque<>();
    private final Semaphore woken = new Semaphore(0);

    @Override
    public void add(Split split, Position start) {
      if (start.offset() < records(split)) {
        left.add(split);
      }
    }

    @Override
    public void remove(Split split) {
      left.remove(split);
    }

    @Override
    public void pause(Split split) {
      // There is one record at most.
    }

    @Override
    public void resume(Split split) {
      // There is one record at most.
    }

    @Override
    public @Nullable RecordBatch poll(Duration atMost) {
      Split next = left.poll();
      if (next != null) {
        RecordBatch batch = pool.take(next, NO_DETAIL, 0);
        batch.append(0, 0);
        batch.value(new byte[] {1}, 0, 1);
        batch.nextOffset(1);
        return batch;
      }
      try {
        if (woken.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
          woken.drainPermits();
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      return null;
    }

    @Override
    public long endOffset(Split split) {
      return records(split);
    }

    @Override
    public void wakeup() {
      woken.release();
    }

    @Override
    public void close() {
      left.clear();
    }
  }
}

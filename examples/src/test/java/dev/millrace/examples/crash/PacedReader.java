package dev.millrace.examples.crash;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/// Hands out the records of one stream in small slices and at a limited pace, so that a job lasts;
/// other streams pass through.
final class PacedReader implements SplitReader {
  private final SplitReader inner;
  private final String stream;
  private final Pace pace;
  private final Map<Split, Queue<RecordBatch>> waiting = new LinkedHashMap<>();
  private final Set<Split> paused = new HashSet<>();

  PacedReader(SplitReader inner, String stream, Pace pace) {
    this.inner = inner;
    this.stream = stream;
    this.pace = pace;
  }

  @Override
  public void add(Split split, Position start) {
    inner.add(split, start);
  }

  @Override
  public void remove(Split split) {
    paused.remove(split);
    Queue<RecordBatch> slices = waiting.remove(split);
    if (slices != null) {
      slices.forEach(RecordBatch::release);
    }
    inner.remove(split);
  }

  @Override
  public void pause(Split split) {
    paused.add(split);
    inner.pause(split);
  }

  @Override
  public void resume(Split split) {
    paused.remove(split);
    if (!waiting.containsKey(split)) {
      inner.resume(split);
    }
  }

  @Override
  public RecordBatch poll(Duration atMost) {
    Duration wait = atMost;
    Queue<RecordBatch> next = nextInTurn();
    if (next != null) {
      long tooEarly = pace.take(next.element().size());
      if (tooEarly == 0) {
        return take(next);
      }
      wait = Duration.ofNanos(Math.min(atMost.toNanos(), tooEarly));
    }
    RecordBatch batch = inner.poll(wait);
    if (batch == null || !batch.split().stream().equals(stream) || batch.size() <= pace.atOnce()) {
      return batch;
    }
    waiting.put(batch.split(), slices(batch));
    inner.pause(batch.split());
    batch.release();
    return null;
  }

  private Queue<RecordBatch> nextInTurn() {
    for (Map.Entry<Split, Queue<RecordBatch>> entry : waiting.entrySet()) {
      if (!paused.contains(entry.getKey())) {
        return entry.getValue();
      }
    }
    return null;
  }

  private RecordBatch take(Queue<RecordBatch> from) {
    RecordBatch slice = from.remove();
    Split split = slice.split();
    waiting.remove(split);
    if (!from.isEmpty()) {
      waiting.put(split, from); // behind the others
    } else {
      inner.resume(split);
    }
    return slice;
  }

  private Queue<RecordBatch> slices(RecordBatch batch) {
    Queue<RecordBatch> slices = new ArrayDeque<>();
    Bytes view = new Bytes();
    RecordBatch slice = null;
    for (int i = 0; i < batch.size(); i++) {
      if (i % pace.atOnce() == 0) {
        Position position = batch.position(i);
        slice = RecordBatch.create().reset(batch.split(), position.detail(), position.offset());
        slices.add(slice);
      }
      copy(batch, i, slice, view);
      slice.nextOffset(i + 1 < batch.size() ? batch.offset(i + 1) : batch.nextOffset());
    }
    return slices;
  }

  static void copy(RecordBatch from, int index, RecordBatch to, Bytes view) {
    to.append(from.offset(index), from.timestamp(index));
    if (from.hasKey(index)) {
      from.key(index, view);
      to.key(view.array(), view.offset(), view.length());
    }
    if (from.hasValue(index)) {
      from.value(index, view);
      to.value(view.array(), view.offset(), view.length());
    }
    if (from.hasHeaders(index)) {
      from.headers(index, view);
      to.headers(view.array(), view.offset(), view.length());
    }
  }

  @Override
  public long endOffset(Split split) {
    return inner.endOffset(split);
  }

  @Override
  public void wakeup() {
    inner.wakeup();
  }

  @Override
  public void close() {
    waiting.values().forEach(slices -> slices.forEach(RecordBatch::release));
    waiting.clear();
    inner.close();
  }
}

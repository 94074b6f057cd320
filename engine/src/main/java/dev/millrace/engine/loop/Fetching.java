package dev.millrace.engine.loop;

import dev.millrace.spi.Clock;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a worker has fetched and not processed: batches that wait in the inputs of its tasks.
///
/// An input with some batches is paused until they are processed, so that none runs ahead of the
/// others for nothing. Batches are of any size, so their memory is counted too: when all together
/// reach the worker's share, the fattest input is paused, and with the next batch the next one.
/// They are resumed when half of the share is free. An input with nothing waiting is never paused,
/// or a batch larger than the share could not be read: so there may be one batch an input above it.
final class Fetching {
  private static final int WAITING_BATCHES = 4;

  private final SplitReader reader;
  private final long shareBytes;
  private final Clock clock;
  private final WorkerMetrics metrics;
  private final Map<Split, TaskInput> bySplit = new LinkedHashMap<>();
  private final List<TaskInput> inputs = new ArrayList<>();
  private final Set<Split> paused = new LinkedHashSet<>();

  /// Those of them that would not be paused if there were more memory.
  private final Set<Split> forMemory = new LinkedHashSet<>();

  private long pausedSinceNanos;

  Fetching(SplitReader reader, long shareBytes, Clock clock, WorkerMetrics metrics) {
    this.reader = reader;
    this.shareBytes = shareBytes;
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Begins to read an input, unless it has ended.
  void begin(TaskInput input) {
    bySplit.put(input.split(), input);
    inputs.add(input);
    if (!input.ended()) {
      reader.add(input.split(), input.position());
    }
  }

  /// Lays the next batch into its input.
  ///
  /// @return whether there was one
  boolean fetch(Duration atMost) {
    RecordBatch batch = reader.poll(atMost);
    if (batch == null) {
      return false;
    }
    TaskInput input = bySplit.get(batch.split());
    if (input == null || input.ended()) {
      batch.release();
      return true;
    }
    input.add(batch);
    if (input.waiting() >= WAITING_BATCHES && paused.add(input.split())) {
      reader.pause(input.split());
    }
    if (waitingBytes() > shareBytes) {
      pauseFattest();
    }
    return true;
  }

  private long waitingBytes() {
    long bytes = 0;
    for (int i = 0, count = inputs.size(); i < count; i++) {
      bytes += inputs.get(i).waitingBytes();
    }
    return bytes;
  }

  private void pauseFattest() {
    TaskInput fattest = null;
    for (TaskInput input : inputs) {
      if (input.hasWaiting()
          && !paused.contains(input.split())
          && (fattest == null || input.waitingBytes() > fattest.waitingBytes())) {
        fattest = input;
      }
    }
    if (fattest == null) {
      return;
    }
    if (forMemory.isEmpty()) {
      pausedSinceNanos = clock.nanos();
    }
    paused.add(fattest.split());
    forMemory.add(fattest.split());
    reader.pause(fattest.split());
    metrics.fetchPaused();
  }

  /// Records of an input were processed.
  ///
  /// @return whether that was its end
  boolean processed(TaskInput input, boolean endedBefore) {
    boolean end = input.ended() && !endedBefore;
    if (end) {
      reader.remove(input.split());
      paused.remove(input.split());
      forget(input.split());
    } else if (!input.hasWaiting() && paused.remove(input.split())) {
      forget(input.split());
      reader.resume(input.split());
    }
    if (!forMemory.isEmpty() && waitingBytes() <= shareBytes / 2) {
      resumeAll();
    }
    return end;
  }

  /// Stops to read an input.
  void leave(TaskInput input) {
    reader.remove(input.split());
    paused.remove(input.split());
    forget(input.split());
    bySplit.remove(input.split());
    inputs.remove(input);
  }

  private void forget(Split split) {
    if (forMemory.remove(split) && forMemory.isEmpty()) {
      metrics.fetchPausedFor(clock.nanos() - pausedSinceNanos);
    }
  }

  private void resumeAll() {
    for (Split split : List.copyOf(forMemory)) {
      forget(split);
      paused.remove(split);
      reader.resume(split);
    }
  }

  /// Tells the metrics what is held now.
  void measure() {
    metrics.fetchedBytes(waitingBytes() + reader.aheadBytes());
    if (!forMemory.isEmpty()) {
      long now = clock.nanos();
      metrics.fetchPausedFor(now - pausedSinceNanos);
      pausedSinceNanos = now;
    }
  }

  /// Stops to read everything.
  void end() {
    for (TaskInput input : inputs) {
      if (!input.ended()) {
        reader.remove(input.split());
      }
    }
    List.copyOf(forMemory).forEach(this::forget);
    bySplit.clear();
    inputs.clear();
    paused.clear();
  }
}

package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.metrics.WorkerMetrics;
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
import java.util.Objects;
import java.util.Set;

/// What a worker has fetched and not processed: batches that wait in the inputs of its tasks.
///
/// An input with some batches is paused until they are processed, so that none runs ahead of the
/// others for nothing. Batches are of any size, so their memory is counted too: when all together
/// reach the worker's share, the fattest input is paused, and with the next batch the next one.
/// They are resumed when half of the share is free. An input with nothing waiting is never paused,
/// or a batch larger than the share could not be read: so there may be one batch an input above it.
public final class Fetcher {
  private static final int WAITING_BATCHES = 4;

  private final SplitReader reader;
  private final long shareBytes;
  private final Clock clock;
  private final WorkerMetrics metrics;
  private final Map<Split, FetchedSplit> bySplit = new LinkedHashMap<>();
  private final List<FetchedSplit> all = new ArrayList<>();
  private final Set<Split> paused = new LinkedHashSet<>();

  /// Those of them that would not be paused if there were more memory.
  private final Set<Split> forMemory = new LinkedHashSet<>();

  private long pausedSinceNanos;

  public Fetcher(SplitReader reader, long shareBytes, Clock clock, WorkerMetrics metrics) {
    this.reader = reader;
    this.shareBytes = shareBytes;
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Begins to read an input, unless it has ended. All begin before anything is fetched.
  public void begin(TaskInput input) {
    FetchedSplit split = bySplit.get(input.split());
    if (split == null) {
      split = new FetchedSplit(input.split());
      bySplit.put(input.split(), split);
      all.add(split);
    }
    split.begin(input, reader);
  }

  /// Lays the next batch into its input.
  ///
  /// @return whether there was one
  public boolean fetch(Duration atMost) {
    if (!metrics.settled()) {
      metrics.settled(allFound());
    }
    RecordBatch batch = reader.poll(atMost);
    if (batch == null) {
      return false;
    }
    FetchedSplit split = bySplit.get(batch.split());
    if (split == null || split.ended()) {
      batch.release();
      return true;
    }
    split.add(batch);
    if (split.waiting() >= WAITING_BATCHES && paused.add(split.split())) {
      reader.pause(split.split());
    }
    if (waitingBytes() > shareBytes) {
      pauseFattest();
    }
    return true;
  }

  private long waitingBytes() {
    long bytes = 0;
    for (int i = 0, count = all.size(); i < count; i++) {
      bytes += all.get(i).waitingBytes();
    }
    return bytes;
  }

  private void pauseFattest() {
    FetchedSplit fattest = null;
    for (FetchedSplit split : all) {
      if (split.waiting() > 0
          && !paused.contains(split.split())
          && (fattest == null || split.waitingBytes() > fattest.waitingBytes())) {
        fattest = split;
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
  public boolean processed(TaskInput input, boolean endedBefore) {
    boolean end = input.ended() && !endedBefore;
    FetchedSplit split = Objects.requireNonNull(bySplit.get(input.split()));
    if (end && split.ended()) {
      reader.remove(input.split());
      paused.remove(input.split());
      forget(input.split());
    } else if (split.waiting() == 0 && paused.remove(input.split())) {
      forget(input.split());
      reader.resume(input.split());
    }
    if (!forMemory.isEmpty() && waitingBytes() <= shareBytes / 2) {
      resumeAll();
    }
    return end;
  }

  /// Whether all inputs are known to be where they are to be read from.
  ///
  /// @throws dev.millrace.spi.LogException if one of them is not
  private boolean allFound() {
    for (FetchedSplit split : all) {
      if (!split.ended() && !reader.isFound(split.split())) {
        return false;
      }
    }
    return true;
  }

  /// Stops to read an input that is the only one of its split.
  public void leave(TaskInput input) {
    reader.remove(input.split());
    paused.remove(input.split());
    forget(input.split());
    all.remove(bySplit.remove(input.split()));
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
  public void measure() {
    metrics.fetchedBytes(waitingBytes() + reader.aheadBytes());
    if (!forMemory.isEmpty()) {
      long now = clock.nanos();
      metrics.fetchPausedFor(now - pausedSinceNanos);
      pausedSinceNanos = now;
    }
  }

  /// Stops to read everything.
  public void end() {
    for (FetchedSplit split : all) {
      if (!split.ended()) {
        reader.remove(split.split());
      }
    }
    List.copyOf(forMemory).forEach(this::forget);
    bySplit.clear();
    all.clear();
    paused.clear();
  }
}

package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.spi.Clock;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What a worker has fetched and not processed: batches that wait in the inputs of its tasks. Where
/// enough waits, it [pauses][FetchPauses].
public final class Fetcher {
  private final SplitReader reader;
  private final WorkerMetrics metrics;
  private final Map<Split, FetchedSplit> bySplit = new LinkedHashMap<>();
  private final List<FetchedSplit> all = new ArrayList<>();
  private final FetchPauses pauses;

  public Fetcher(SplitReader reader, long shareBytes, Clock clock, WorkerMetrics metrics) {
    this.reader = reader;
    this.metrics = metrics;
    pauses = new FetchPauses(reader, shareBytes, clock, metrics);
  }

  /// Begins to read an input, unless it has ended.
  public void begin(TaskInput input) {
    FetchedSplit split = bySplit.get(input.split());
    if (split == null) {
      split = new FetchedSplit(input.split());
      bySplit.put(input.split(), split);
      all.add(split);
    }
    if (split.begin(input, reader)) {
      pauses.removed(input.split());
    }
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
    pauses.added(split, all);
    return true;
  }

  /// Records of an input were processed.
  ///
  /// @return whether that was its end
  public boolean processed(TaskInput input, boolean endedBefore) {
    boolean end = input.ended() && !endedBefore;
    FetchedSplit split = Objects.requireNonNull(bySplit.get(input.split()));
    if (end && split.ended()) {
      reader.remove(input.split());
      pauses.removed(input.split());
    } else if (split.waiting() == 0) {
      pauses.emptied(input.split());
    }
    pauses.look(all);
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
    pauses.removed(input.split());
    all.remove(bySplit.remove(input.split()));
  }

  /// Stops to read an input, whoever else reads its split.
  public void end(TaskInput input) {
    FetchedSplit split = bySplit.get(input.split());
    if (split == null) {
      return;
    }
    boolean read = !split.ended();
    split.end(input);
    if (split.isEmpty()) {
      if (read) {
        reader.remove(input.split());
      }
      pauses.removed(input.split());
      all.remove(bySplit.remove(input.split()));
    } else if (read && split.ended()) {
      reader.remove(input.split());
      pauses.removed(input.split());
    } else if (split.waiting() == 0) {
      pauses.emptied(input.split());
    }
    pauses.look(all);
  }

  /// Tells the metrics what is held now.
  public void measure() {
    metrics.fetchedBytes(FetchPauses.waitingBytes(all) + reader.aheadBytes());
    pauses.measure();
  }

  /// Stops to read everything.
  public void end() {
    for (FetchedSplit split : all) {
      if (!split.ended()) {
        reader.remove(split.split());
      }
    }
    pauses.end();
    bySplit.clear();
    all.clear();
  }
}

package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Pauses splits of which enough waits.
///
/// A split with some batches is paused until they are processed, so that none runs ahead of the
/// others for nothing. Batches are of any size, so their memory is counted too: when all together
/// reach the worker's share, the fattest split is paused, and with the next batch the next one.
/// They are resumed when half of the share is free. A split with nothing waiting is never paused,
/// or a batch larger than the share could not be read: so there may be one batch a split above it.
final class FetchPauses {
  private static final int WAITING_BATCHES = 4;

  private final SplitReader reader;
  private final long shareBytes;
  private final Clock clock;
  private final WorkerMetrics metrics;
  private final Set<Split> paused = new LinkedHashSet<>();

  /// Those of them that would not be paused if there were more memory.
  private final Set<Split> forMemory = new LinkedHashSet<>();

  private long pausedSinceNanos;

  FetchPauses(SplitReader reader, long shareBytes, Clock clock, WorkerMetrics metrics) {
    this.reader = reader;
    this.shareBytes = shareBytes;
    this.clock = clock;
    this.metrics = metrics;
  }

  /// Pauses what has to be after a batch of a split came.
  void added(FetchedSplit split, List<FetchedSplit> all) {
    if (split.waiting() >= WAITING_BATCHES && paused.add(split.split())) {
      reader.pause(split.split());
    }
    if (waitingBytes(all) > shareBytes) {
      pauseFattest(all);
    }
  }

  static long waitingBytes(List<FetchedSplit> all) {
    long bytes = 0;
    for (int i = 0, count = all.size(); i < count; i++) {
      bytes += all.get(i).waitingBytes();
    }
    return bytes;
  }

  private void pauseFattest(List<FetchedSplit> all) {
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

  /// Resumes a split of which nothing waits any more.
  void emptied(Split split) {
    if (paused.remove(split)) {
      forget(split);
      reader.resume(split);
    }
  }

  /// Takes over that a split is not read any more.
  void removed(Split split) {
    paused.remove(split);
    forget(split);
  }

  /// Resumes what was paused for memory, if there is enough again.
  void look(List<FetchedSplit> all) {
    if (!forMemory.isEmpty() && waitingBytes(all) <= shareBytes / 2) {
      for (Split split : List.copyOf(forMemory)) {
        forget(split);
        paused.remove(split);
        reader.resume(split);
      }
    }
  }

  private void forget(Split split) {
    if (forMemory.remove(split) && forMemory.isEmpty()) {
      metrics.fetchPausedFor(clock.nanos() - pausedSinceNanos);
    }
  }

  /// Tells the metrics how long splits were paused for memory.
  void measure() {
    if (!forMemory.isEmpty()) {
      long now = clock.nanos();
      metrics.fetchPausedFor(now - pausedSinceNanos);
      pausedSinceNanos = now;
    }
  }

  /// Forgets all splits.
  void end() {
    List.copyOf(forMemory).forEach(this::forget);
    paused.clear();
  }
}

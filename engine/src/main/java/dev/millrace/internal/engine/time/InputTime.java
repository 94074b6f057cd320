package dev.millrace.internal.engine.time;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/// Event time as one split tells it. It starts unknown, only grows, and is part of the commit
/// record.
///
/// A watermark W says: no record with an event time below W is expected any more.
public sealed interface InputTime {
  long UNKNOWN = Long.MIN_VALUE;
  long ENDED = Long.MAX_VALUE;

  /// Stands for a task that there is not: one that others were split off behind.
  long ABSENT = Long.MIN_VALUE + 1;

  /// No record below it is expected; [#UNKNOWN] before the first record, [#ENDED] after the last
  /// one.
  long watermark();

  /// Whether the split says nothing for the time being and should not hold others back.
  boolean idle();

  /// A split of a source: its time is that of its records, less the disorder they may have.
  final class OfSource implements InputTime {
    private final long disorderMillis;
    private long maxTimestamp;
    private boolean idle;
    private boolean ended;

    public OfSource(long disorderMillis, long maxTimestamp, boolean idle, boolean ended) {
      this.disorderMillis = disorderMillis;
      this.maxTimestamp = maxTimestamp;
      this.idle = idle;
      this.ended = ended;
    }

    /// Records came, the latest of them at `timestamp`.
    public void observe(long timestamp) {
      maxTimestamp = Math.max(maxTimestamp, timestamp);
      idle = false;
    }

    public void idle(boolean isIdle) {
      idle = isIdle;
    }

    public void end() {
      ended = true;
    }

    public long maxTimestamp() {
      return maxTimestamp;
    }

    public boolean ended() {
      return ended;
    }

    @Override
    public boolean idle() {
      return idle && !ended;
    }

    @Override
    public long watermark() {
      if (ended) {
        return ENDED;
      }
      return delayed(maxTimestamp, disorderMillis);
    }
  }

  /// A partition of an exchange: its time is the least of what the tasks that feed it have said,
  /// unknown until each of them has spoken. Tasks that are split off from others later are counted
  /// from their first word on, which is said for them by the others.
  final class OfExchange implements InputTime {
    private long[] watermarks;
    private boolean[] idle;

    /// Those that were idle before a start, and were not heard since.
    private boolean[] doubted;

    public OfExchange(int upstreamTasks) {
      watermarks = new long[upstreamTasks];
      Arrays.fill(watermarks, UNKNOWN);
      idle = new boolean[upstreamTasks];
      doubted = new boolean[upstreamTasks];
    }

    /// An upstream task spoke; what it said earlier is replaced unless it was more.
    public void hear(int upstreamTask, long watermark, boolean isIdle) {
      grow(upstreamTask + 1);
      boolean isNew = watermarks[upstreamTask] == ABSENT;
      watermarks[upstreamTask] = isNew ? watermark : Math.max(watermarks[upstreamTask], watermark);
      idle[upstreamTask] = isIdle;
      doubted[upstreamTask] = false;
    }

    private void grow(int tasks) {
      int before = watermarks.length;
      if (tasks > before) {
        watermarks = Arrays.copyOf(watermarks, tasks);
        Arrays.fill(watermarks, before, tasks, ABSENT);
        idle = Arrays.copyOf(idle, tasks);
        doubted = Arrays.copyOf(doubted, tasks);
      }
    }

    /// Holds those to be at work that were idle before a start: they may have been restarted as
    /// well, with records behind them that nobody has told of.
    public void doubt() {
      for (int i = 0; i < idle.length; i++) {
        doubted[i] |= idle[i];
        idle[i] = false;
      }
    }

    /// Whether there are such tasks that were not heard since.
    public boolean doubts() {
      for (boolean each : doubted) {
        if (each) {
          return true;
        }
      }
      return false;
    }

    /// Holds them to be idle again.
    public void believe() {
      for (int i = 0; i < idle.length; i++) {
        idle[i] |= doubted[i];
        doubted[i] = false;
      }
    }

    public int upstreamTasks() {
      return watermarks.length;
    }

    public long watermarkOf(int upstreamTask) {
      return watermarks[upstreamTask];
    }

    /// Whether it said last that it is idle.
    public boolean idleOf(int upstreamTask) {
      return idle[upstreamTask] || doubted[upstreamTask];
    }

    @Override
    public boolean idle() {
      boolean anyIdle = false;
      for (int i = 0; i < idle.length; i++) {
        boolean counts = watermarks[i] != ENDED && watermarks[i] != ABSENT;
        if (counts && !idle[i]) {
          return false;
        }
        anyIdle |= counts;
      }
      return anyIdle;
    }

    @Override
    public long watermark() {
      return least(watermarks.length, i -> watermarks[i], i -> idle[i]);
    }
  }

  /// A watermark that much later; what is unknown or at its end stays so.
  static long delayed(long watermark, long millis) {
    if (watermark == ENDED) {
      return ENDED;
    }
    return watermark < UNKNOWN + millis ? UNKNOWN : watermark - millis;
  }

  /// The least watermark of those that are neither idle nor ended; [#ENDED] if all have ended. If
  /// those that have not are all idle, the least that is known of theirs: one that never had a
  /// record does not hold back the rest. They may come back, so time goes no further.
  static long least(int count, IntToLongFunction watermark, IntPredicate idle) {
    long least = ENDED;
    long ofIdle = ENDED;
    boolean allEnded = true;
    boolean anyActive = false;
    for (int i = 0; i < count; i++) {
      long each = watermark.applyAsLong(i);
      if (each == ABSENT) {
        continue;
      }
      allEnded &= each == ENDED;
      if (each != ENDED && !idle.test(i)) {
        anyActive = true;
        least = Math.min(least, each);
      } else if (each != UNKNOWN) {
        ofIdle = Math.min(ofIdle, each);
      }
    }
    if (anyActive || allEnded) {
      return least;
    }
    return ofIdle == ENDED ? UNKNOWN : ofIdle;
  }
}

package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.time.InputTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/// Keeps the inputs of a stage together in event time while they catch up, across the workers of a
/// container.
///
/// Each worker says of each stage how far the last of its inputs is that has records to read. An
/// input that is further than the least of these, by more than the bound, waits. What has been read
/// to its end holds nobody back.
public final class Alignment {
  /// No input of a worker's stage has anything to catch up with.
  public static final long NOBODY = InputTime.ENDED;

  private final long boundMillis;
  private final int stages;

  /// By worker, then by stage.
  private final AtomicLongArray last;

  /// @param bound by how much an input may be ahead
  /// @param workers of the container
  public Alignment(Duration bound, int workers, int stages) {
    boundMillis = bound.toMillis();
    this.stages = stages;
    last = new AtomicLongArray(workers * stages);
    for (int i = 0; i < last.length(); i++) {
      last.set(i, NOBODY);
    }
  }

  /// What one worker says and hears.
  public Share share(int worker) {
    return new Share(worker);
  }

  /// See [#share]. Used by the worker's thread.
  public final class Share {
    private final int worker;

    private Share(int worker) {
      this.worker = worker;
    }

    public int stages() {
      return stages;
    }

    /// Says how far the last input of a stage is, in milliseconds since 1970 (UTC).
    public void say(int stage, long time) {
      last.setRelease(worker * stages + stage, time);
    }

    /// The latest time that an input of a stage may have come to, to be read further.
    public long limit(int stage) {
      long least = NOBODY;
      for (int i = stage; i < last.length(); i += stages) {
        least = Math.min(least, last.getAcquire(i));
      }
      return least > NOBODY - boundMillis ? NOBODY : least + boundMillis;
    }
  }
}

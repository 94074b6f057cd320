package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.metrics.WorkerMetrics;
import dev.millrace.spi.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How long the next recovery of a worker's tasks would take, and when its disks must be brought up
/// to date for it to stay under the target.
///
/// A recovery is what does not depend on the tail (barring other writers, opening the disks) and
/// the replay of the tail: the bytes of the changelog that are not on disk. Both are measured
/// whenever they happen; until then a rate is assumed that a cold JVM reaches on a small machine.
public final class RecoveryPace {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveryPace.class);

  private static final long ASSUMED_BYTES_PER_SECOND = 32L << 20;

  /// A shorter replay says more about how long the first answer takes than about the rate.
  private static final long LEAST_MEASURED_BYTES = 16L << 20;

  /// How much of the target is planned for; the rest is for what a commit adds before a flush.
  private static final double PLANNED = 0.75;

  /// The tail gets this share of the target even if the rest takes too long: flushing all the time
  /// would not make that any shorter.
  private static final double LEAST_SHARE_OF_TAIL = 0.25;

  private static final Duration WARN_EVERY = Duration.ofMinutes(10);
  private static final double NANOS = 1e9;

  private final Duration target;
  private final Clock clock;
  private final WorkerMetrics metrics;
  private double bytesPerSecond = ASSUMED_BYTES_PER_SECOND;
  private long begunNanos;
  private long fixedNanos;
  private boolean measured;
  private long replaySinceNanos;
  private long warnAtNanos;

  /// @param target for a whole recovery, without the start of the process
  public RecoveryPace(Duration target, Clock clock, WorkerMetrics metrics) {
    this.target = target;
    this.clock = clock;
    this.metrics = metrics;
    begins();
    warnAtNanos = begunNanos;
  }

  /// What a recovery takes is counted from here: the worker is stepped for the first time.
  public void begins() {
    begunNanos = clock.nanos();
  }

  /// The disks are open, and the replay begins.
  public void replayBegins() {
    replaySinceNanos = clock.nanos();
  }

  /// The tail is replayed.
  ///
  /// @param bytes how long it was
  public void replayed(long bytes) {
    long now = clock.nanos();
    long replayNanos = now - replaySinceNanos;
    boolean tellsRate = bytes >= LEAST_MEASURED_BYTES && replayNanos > 0;
    if (tellsRate) {
      bytesPerSecond = bytes * NANOS / replayNanos;
    }
    if (!measured) {
      measured = true;
      fixedNanos = now - begunNanos - (tellsRate ? replayNanos : 0);
    }
  }

  /// Whether a flush is due.
  ///
  /// @param tailBytes what would have to be replayed now, of all tasks together
  boolean flushDue(long tailBytes) {
    long predicted = fixedNanos + (long) (tailBytes / bytesPerSecond * NANOS);
    metrics.predictedRecovery(predicted);
    if (predicted > target.toNanos() && tailBytes > 0) {
      warn(predicted, tailBytes);
    }
    double forTail =
        Math.max(PLANNED * target.toNanos() - fixedNanos, LEAST_SHARE_OF_TAIL * target.toNanos());
    return predicted - fixedNanos > forTail;
  }

  private void warn(long predictedNanos, long tailBytes) {
    long now = clock.nanos();
    if (now - warnAtNanos < 0) {
      return;
    }
    warnAtNanos = now + WARN_EVERY.toNanos();
    LOG.warn("{}", warning(predictedNanos, tailBytes));
  }

  /// What takes too long, and what helps against it.
  String warning(long predictedNanos, long tailBytes) {
    String found =
        "A recovery would now take %s s, more than recovery.target (%s s): %s s to fence other writers and open the state, and the replay of %d MB at %d MB/s."
            .formatted(
                seconds(predictedNanos),
                seconds(target.toNanos()),
                seconds(fixedNanos),
                tailBytes >> 20,
                (long) bytesPerSecond >> 20);
    return fixedNanos > target.toNanos()
        ? found
            + " Flushes cannot shorten that. Set recovery.target to at least the time of a start."
        : found
            + " More workers or containers divide the replay among them; a shorter commit.interval"
            + " makes each commit smaller.";
  }

  private static String seconds(long nanos) {
    return "%.1f".formatted(nanos / NANOS);
  }
}

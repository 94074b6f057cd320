package dev.millrace;

import dev.millrace.internal.engine.commit.GrowingPause;
import dev.millrace.spi.DiskException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the steps of a start that need the local disk, and repeats them until there is space: a job
/// that ended because of a full disk would only be started again. Used by the control thread; its
/// state may be read by any thread.
final class SpaceForStart {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceForStart.class);
  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

  private final BooleanSupplier stopAsked;
  private volatile boolean waits;

  /// The job was asked to stop while it waited.
  static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException(DiskException waitedFor) {
      super(waitedFor.getMessage(), waitedFor);
    }
  }

  SpaceForStart(BooleanSupplier stopAsked) {
    this.stopAsked = stopAsked;
  }

  /// Returns whether the start waits for space.
  boolean waits() {
    return waits;
  }

  void awaitDone(Runnable action) {
    Object nothing = new Object();
    await(() -> {
      action.run();
      return nothing;
    });
  }

  /// @throws StoppedException if the job was asked to stop while there was no space
  <T> T await(Supplier<T> action) {
    GrowingPause pause = new GrowingPause();
    while (true) {
      try {
        T result = action.get();
        waits = false;
        return result;
      } catch (DiskException e) {
        if (e.kind() != DiskException.Kind.FULL) {
          throw e;
        }
        long nanos = pause.nextNanos();
        LOG.warn(
            "The start waits for disk space and tries again in {} ms: {}",
            Duration.ofNanos(nanos).toMillis(),
            e.getMessage());
        waits = true;
        pause(nanos, e);
      }
    }
  }

  private void pause(long nanos, DiskException waitingFor) {
    long until = System.nanoTime() + nanos;
    while (System.nanoTime() - until < 0) {
      if (stopAsked.getAsBoolean()) {
        throw new StoppedException(waitingFor);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}

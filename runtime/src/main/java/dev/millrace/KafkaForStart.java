package dev.millrace;

import dev.millrace.internal.engine.commit.GrowingPause;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the steps of a start that need Kafka, and repeats them for a while if it does not answer: a
/// broker that has just been started recovers first, and a slow broker may still answer. Used by
/// the control thread, except [#interrupt].
final class KafkaForStart {
  /// The same time as Kafka's own clients wait.
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Logger LOG = LoggerFactory.getLogger(KafkaForStart.class);
  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

  private final BooleanSupplier stopAsked;
  private boolean connected;

  KafkaForStart(BooleanSupplier stopAsked) {
    this.stopAsked = stopAsked;
  }

  /// @throws LogException what was thrown last, if it did not help to wait or the job was asked to
  ///   stop
  <T> T await(Supplier<T> action) {
    GrowingPause pause = new GrowingPause();
    long begunNanos = System.nanoTime();
    while (true) {
      try {
        return action.get();
      } catch (LogException e) {
        boolean over = System.nanoTime() - begunNanos >= PATIENCE.toNanos();
        if (e.kind() != LogException.Kind.UNAVAILABLE || over || stopAsked.getAsBoolean()) {
          throw e;
        }
        LOG.info(
            "The start waits for Kafka, up to {} s in all: {}",
            PATIENCE.toSeconds(),
            e.getMessage());
        pause(pause.nextNanos());
      }
    }
  }

  private void pause(long nanos) {
    long until = System.nanoTime() + nanos;
    while (System.nanoTime() - until < 0 && !stopAsked.getAsBoolean()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /// Notes that Kafka answers, so that later steps are not repeated that long.
  synchronized void connected() {
    connected = true;
    boolean _ = Thread.interrupted(); // that was for the wait
  }

  /// Ends the wait of a job that is asked to stop. Thread-safe.
  synchronized void interrupt(Thread waiting) {
    if (!connected) {
      waiting.interrupt();
    }
  }
}

package dev.millrace.internal.kafka.client;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;

/// Waits for the answers of the admin client. Thread-safe.
///
/// @param patience after which the admin client gives up
public record AdminCalls(Admin admin, Duration patience) {
  /// The admin client times out by itself, with a more exact reason.
  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final long PAUSE_NANOS = 1_000_000;

  /// @param what is tried, naming topic and partition: the beginning of a sentence
  /// @throws LogException if it failed
  public <T> T get(String what, KafkaFuture<T> future) {
    try {
      return future.get(patience.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw KafkaFailures.of(what, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new LogException(
          Kind.UNAVAILABLE,
          what + ": Kafka did not answer within " + Words.time(patience) + ".",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogException(Kind.UNAVAILABLE, what + ": the thread was interrupted.", e);
    }
  }

  /// Waits for an answer of whatever kind.
  ///
  /// @return whether it arrived in time
  public boolean isDone(KafkaFuture<?> future, Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    while (!future.isDone()
        && System.nanoTime() - end < 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return future.isDone();
  }

  /// Waits for an answer for which one kind of exception is expected.
  ///
  /// @return whether there was no such exception
  boolean succeeds(String what, KafkaFuture<?> future, Class<? extends Throwable> expected) {
    try {
      get(what, future);
      return true;
    } catch (LogException e) {
      if (expected.isInstance(e.getCause())) {
        return false;
      }
      throw e;
    }
  }
}

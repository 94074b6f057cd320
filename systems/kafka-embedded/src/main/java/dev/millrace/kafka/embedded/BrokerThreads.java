package dev.millrace.kafka.embedded;

import static dev.millrace.kafka.embedded.EmbeddedKafkaException.Kind.BROKER_FAILED;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.server.fault.FaultHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All threads of one embedded broker, and the end of its failures.
///
/// A Kafka broker answers a failure it cannot mend, such as a disk that is gone, by halting the
/// process. An embedded one must not: the process belongs to somebody else. So a halt asked for by
/// a thread of this group becomes the broker's failure; one asked for by any other thread is
/// carried out. Threads inherit the group of the thread that starts them, so it is enough to start
/// and stop the broker in it.
final class BrokerThreads extends ThreadGroup {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);

  private final Path directory;
  private final Consumer<EmbeddedKafkaException> onFailure;
  private final AtomicReference<@Nullable EmbeddedKafkaException> failure = new AtomicReference<>();
  private final AtomicReference<@Nullable Thread> starting = new AtomicReference<>();

  /// @param onFailure called at most once, on a thread of the broker
  BrokerThreads(Path directory, Consumer<EmbeddedKafkaException> onFailure) {
    super("embedded-kafka");
    this.directory = directory;
    this.onFailure = onFailure;
    // Kafka has one procedure a process. Ours has no state, so it may be set again.
    Exit.setHaltProcedure(BrokerThreads::halt);
    Exit.setExitProcedure(BrokerThreads::exit);
  }

  /// Returns the first failure of the broker since its start.
  Optional<EmbeddedKafkaException> failure() {
    return Optional.ofNullable(failure.get());
  }

  /// Runs the start of the broker on a thread of this group and waits for its end. It is
  /// interrupted if the caller is, or if a part of the broker fails: Kafka would wait for that part
  /// for ever.
  <T extends @Nullable Object> T start(Callable<T> work) throws ExecutionException {
    var task = new FutureTask<>(work);
    var thread = new Thread(this, task, "embedded-kafka-start");
    starting.set(thread);
    if (failure.get() != null) {
      thread.interrupt();
    }
    try {
      return run(thread, task, thread::interrupt);
    } finally {
      starting.set(null);
    }
  }

  /// Runs the end of the broker on a thread of this group and waits for it, also if the caller is
  /// interrupted.
  void stop(Runnable work) throws ExecutionException {
    var task = new FutureTask<>(work, null);
    run(new Thread(this, task, "embedded-kafka-stop"), task, () -> {});
  }

  private static <T extends @Nullable Object> T run(
      Thread thread, FutureTask<T> task, Runnable whenInterrupted) throws ExecutionException {
    thread.start();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
          whenInterrupted.run();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Handles the faults of one part of the broker.
  ///
  /// @param fatal whether the broker is of no use afterwards
  FaultHandler faultHandler(String part, boolean fatal, Runnable count) {
    return (message, cause) -> {
      count.run();
      if (fatal) {
        return fail(part + ": " + message, cause);
      }
      LOG.error("Embedded broker in {}: {}: {}", directory, part, message, cause);
      return new IllegalStateException(part + ": " + message, cause);
    };
  }

  private EmbeddedKafkaException fail(String what, @Nullable Throwable cause) {
    var exception =
        new EmbeddedKafkaException(
            BROKER_FAILED,
            "The embedded broker in '%s' has failed: %s.".formatted(directory, what),
            cause);
    if (failure.compareAndSet(null, exception)) {
      LOG.error(exception.getMessage(), cause);
      Thread waiting = starting.get();
      if (waiting != null) {
        waiting.interrupt();
      }
      onFailure.accept(exception);
    }
    return exception;
  }

  private static void halt(int status, @Nullable String message) {
    BrokerThreads broker = current();
    if (broker == null) {
      Runtime.getRuntime().halt(status);
    } else {
      throw broker.askedToStop(status, message);
    }
  }

  private static void exit(int status, @Nullable String message) {
    BrokerThreads broker = current();
    if (broker == null) {
      System.exit(status);
    } else {
      throw broker.askedToStop(status, message);
    }
  }

  private EmbeddedKafkaException askedToStop(int status, @Nullable String message) {
    String reason =
        message == null ? "usually because the disk is full or lost; its log says why" : message;
    return fail(
        "thread %s asked to stop the process with status %d, %s"
            .formatted(Thread.currentThread().getName(), status, reason),
        null);
  }

  private static @Nullable BrokerThreads current() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group != null && !(group instanceof BrokerThreads)) {
      group = group.getParent();
    }
    return (BrokerThreads) group;
  }
}

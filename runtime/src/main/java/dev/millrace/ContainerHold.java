package dev.millrace;

import dev.millrace.internal.engine.lease.ContainerLease;
import dev.millrace.internal.engine.lease.Holder;
import dev.millrace.internal.engine.lease.SignOfLife;
import java.time.Duration;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// Holds the container on a thread of its own: an outage of Kafka makes the lease wait, and the job
/// must hear of a signal meanwhile.
final class ContainerHold implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerHold.class);
  private static final Duration STEP = Duration.ofMillis(20);

  /// The pause between two steps while a job waits for its container.
  private static final Duration AWAITED_STEP = Duration.ofMillis(2);

  /// How long the end of a job waits until its container is let go of.
  private static final Duration RELEASE = Duration.ofSeconds(3);

  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final ContainerLease lease;
  private final String application;
  private final Thread thread;
  private volatile boolean ending;
  private volatile @Nullable RuntimeException failure;

  ContainerHold(ContainerLease lease, String application) {
    this.lease = lease;
    this.application = application;
    thread = new Thread(this::run, "millrace-" + application + "-container");
    thread.setDaemon(true);
    thread.start();
  }

  ContainerLease.State state() {
    return lease.state();
  }

  /// Whether the container is this process's alone.
  boolean ours() {
    return lease.ours();
  }

  /// Who holds the container instead, if known.
  @Nullable Holder other() {
    return lease.other();
  }

  /// Those who run the application under another placement, if that is why it is refused.
  SortedMap<Integer, SignOfLife> differing() {
    return lease.differing();
  }

  /// Whether these were told the same placement, and read other streams.
  boolean differingAlike() {
    return lease.differingAlike();
  }

  /// The containers that nobody runs.
  SortedSet<Integer> missing() {
    return lease.missing();
  }

  /// Why it cannot be asked for; null if nothing is wrong.
  @Nullable RuntimeException failure() {
    return failure;
  }

  private void run() {
    MDC.put("application", application);
    try (lease) {
      while (!ending && !isFinal()) {
        lease.step();
        LockSupport.parkNanos(pause().toNanos());
      }
      release();
    } catch (RuntimeException e) { // outermost: the end of this thread
      LOG.debug("The container is not held any more.", e);
      failure = e;
    }
  }

  private Duration pause() {
    return switch (lease.state()) {
      case READING, TAKING, RELEASING -> AWAITED_STEP;
      case WATCHING, BLOCKED, HELD, REFUSED, LOST, RELEASED -> STEP;
    };
  }

  private void release() {
    long startNanos = System.nanoTime();
    lease.release();
    while (!isFinal()) {
      if (System.nanoTime() - startNanos >= RELEASE.toNanos()) {
        LOG.warn("The container could not be let go of; whoever runs it next waits a moment.");
        return;
      }
      lease.step();
      LockSupport.parkNanos(pause().toNanos());
    }
  }

  private boolean isFinal() {
    return switch (lease.state()) {
      case REFUSED, LOST, RELEASED -> true;
      case READING, WATCHING, BLOCKED, TAKING, HELD, RELEASING -> false;
    };
  }

  /// Lets go of the container; waits for Kafka a few seconds at most.
  @Override
  public void close() {
    ending = true;
    LockSupport.unpark(thread);
    try {
      if (!thread.join(CLOSE)) {
        LOG.warn("The container is still being let go of: Kafka does not answer.");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.millrace;

import dev.millrace.internal.engine.lease.ContainerLease;
import dev.millrace.internal.engine.lease.Holder;
import dev.millrace.internal.engine.lease.SignOfLife;
import dev.millrace.internal.engine.lease.StateReport;
import java.time.Duration;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// Holds the container on a separate thread: during an outage of Kafka the lease waits, and the job
/// must still react to a signal.
final class ContainerHold implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerHold.class);
  private static final Duration STEP = Duration.ofMillis(20);

  /// The pause between two steps while a job waits for its container.
  private static final Duration AWAITED_STEP = Duration.ofMillis(2);

  /// How long the end of a job waits until its container is released.
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

  /// Tells of the container's state from now on.
  void reports(Supplier<@Nullable StateReport> ofState) {
    lease.reports(ofState);
  }

  /// Returns whether the container is this process's alone.
  boolean ours() {
    return lease.ours();
  }

  /// Returns the other process that holds the container, if known.
  @Nullable Holder other() {
    return lease.other();
  }

  /// Returns the processes that run the application under another placement, if that is why the
  /// container is refused.
  SortedMap<Integer, SignOfLife> differing() {
    return lease.differing();
  }

  /// Returns whether these were told the same placement, and read other streams.
  boolean differingAlike() {
    return lease.differingAlike();
  }

  /// Returns the containers that no process runs.
  SortedSet<Integer> missing() {
    return lease.missing();
  }

  /// Returns the last signs of life of the containers that run another version of the program.
  SortedMap<String, String> otherVersions() {
    SortedMap<String, String> versions = new TreeMap<>();
    lease
        .otherVersions()
        .forEach((container, sign) -> versions.put(Integer.toString(container), sign.plan()));
    return versions;
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
      LOG.debug("The process does not hold the container any more.", e);
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
        LOG.warn(
            "The container could not be released; the next process that runs it waits until the"
                + " lease ends.");
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

  /// Releases the container. Waits for Kafka at most a few seconds.
  @Override
  public void close() {
    ending = true;
    LockSupport.unpark(thread);
    try {
      if (!thread.join(CLOSE)) {
        LOG.warn("The container is not released yet, because Kafka does not answer.");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}

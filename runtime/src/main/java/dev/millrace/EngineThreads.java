package dev.millrace;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.loop.Worker;
import dev.millrace.internal.engine.recovery.Follower;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// The threads of an engine: one for each worker, and one for what replays tasks that come. Used by
/// the control thread.
final class EngineThreads {
  private static final Logger LOG = LoggerFactory.getLogger(EngineThreads.class);

  /// How long a thread waits for records at a time, and the part of the commit interval that it
  /// waits at most, as a commit that is due meanwhile waits with it. Records end the wait, and so
  /// do questions and a stop. Each wait costs the official consumer some 0.2 ms of a processor.
  private static final Duration WAIT = Duration.ofMillis(20);

  private static final int PART_OF_INTERVAL = 5;
  private static final long PAUSE_NANOS = 200_000;

  private final String application;

  /// How long a step may wait once there has been nothing to do for a few steps. What is due by the
  /// clock and a commit that is due end the wait, too.
  private static final Duration IDLE_WAIT = Duration.ofMillis(500);

  /// After how many steps in a row without anything to do.
  private static final int IDLE_STEPS = 3;

  private final Duration wait;
  private final BooleanSupplier killed;
  private final Consumer<Throwable> failed;
  private final List<Thread> threads = new ArrayList<>();
  private final List<Runnable> wakeups = new ArrayList<>();
  private volatile boolean halted;

  private interface Step {
    /// Returns whether anything was done.
    boolean done(Duration atMost);
  }

  /// @param commitInterval of the job
  /// @param killed whether all threads are to end at once
  /// @param failed is told what a thread has ended with
  EngineThreads(
      String application,
      Duration commitInterval,
      BooleanSupplier killed,
      Consumer<Throwable> failed) {
    this.application = application;
    this.killed = killed;
    this.failed = failed;
    Duration part = commitInterval.dividedBy(PART_OF_INTERVAL);
    wait = part.compareTo(WAIT) < 0 ? part : WAIT;
  }

  void start(Engine engine) {
    for (Worker worker : engine.workers()) {
      start("worker-" + threads.size(), worker::step, worker::closed);
      wakeups.add(worker::wakeup);
    }
    Follower follower = engine.follower();
    if (follower != null) {
      start("follower", follower::step, () -> false);
    }
  }

  private void start(String name, Step step, BooleanSupplier ended) {
    Thread started = new Thread(() -> run(step, ended), "millrace-" + application + "-" + name);
    threads.add(started);
    started.start();
  }

  private void run(Step step, BooleanSupplier ended) {
    MDC.put("application", application);
    try {
      int idle = 0;
      while (!ended.getAsBoolean() && !halted && !killed.getAsBoolean()) {
        long begunNanos = System.nanoTime();
        if (step.done(idle < IDLE_STEPS ? wait : IDLE_WAIT)) {
          idle = 0;
        } else {
          idle++;
          if (System.nanoTime() - begunNanos < PAUSE_NANOS) {
            LockSupport.parkNanos(PAUSE_NANOS); // it has not waited for records
          }
        }
      }
    } catch (RuntimeException | Error e) { // outermost: the end of the thread
      LOG.error("A thread ended because of an internal error.", e);
      failed.accept(e);
    }
  }

  /// Has all threads end at once.
  void halt() {
    halted = true;
    wakeups.forEach(Runnable::run);
  }

  /// Waits until all threads have ended.
  void join() {
    threads.forEach(EngineThreads::join);
  }

  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.millrace.internal.kafka.write;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// A thread that runs tasks in order, and an idle function while there are none.
final class PumpedThread extends AbstractExecutorService {
  private final Thread thread;
  private final Runnable idle;
  private final Runnable wake;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private volatile boolean shutdown;

  /// @param idle waits for a while, or until `wake`; throws nothing
  /// @param wake ends a waiting `idle`, or lets the next one not wait; thread-safe
  PumpedThread(String name, Runnable idle, Runnable wake) {
    this.idle = idle;
    this.wake = wake;
    thread = Thread.ofPlatform().daemon().name(name).start(this::run);
  }

  private void run() {
    while (true) {
      Runnable task = tasks.poll();
      if (task != null) {
        task.run();
      } else if (shutdown) {
        return;
      } else {
        idle.run();
      }
    }
  }

  @Override
  public void execute(Runnable task) {
    if (shutdown) {
      throw new RejectedExecutionException("Thread " + thread.getName() + " was shut down.");
    }
    tasks.add(task);
    wake.run();
  }

  @Override
  public void shutdown() {
    shutdown = true;
    wake.run();
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    List<Runnable> left = new ArrayList<>();
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      left.add(task);
    }
    thread.interrupt();
    return left;
  }

  @Override
  public boolean isShutdown() {
    return shutdown;
  }

  @Override
  public boolean isTerminated() {
    return shutdown && !thread.isAlive();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return thread.join(Duration.ofNanos(unit.toNanos(timeout)));
  }
}

package dev.millrace;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.chain.Probe;
import dev.millrace.internal.engine.loop.Worker;
import dev.millrace.internal.engine.metrics.Activity;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/// Measures how much of the workers' time each operator and each other activity takes.
///
/// A thread samples a hundred times a second what each worker does, and adds the time since the
/// last sample to that activity. So the sum is the workers' time, and the workers themselves read
/// no clock. The pauses between samples differ, so that regular events are not always, or never,
/// sampled. While all workers wait the pauses are ten times as long, and whoever asks meanwhile
/// gets a sample of that moment.
final class BusyTime implements AutoCloseable {
  private static final long SHORTEST_PAUSE_NANOS = 5_000_000;
  private static final long LONGEST_PAUSE_NANOS = 15_000_000;
  private static final int IDLE_FACTOR = 10;
  private static final int ACTIVITIES = Activity.values().length;

  private final List<Probe> workers;

  /// Time by operator, of all workers.
  private final AtomicLongArray operators;

  /// Time by worker and activity, with the time of all operators last.
  private final AtomicLongArray activities;

  private final Thread thread;
  private volatile boolean closed;
  private volatile long sampledNanos = System.nanoTime();

  private BusyTime(Engine engine, String application) {
    workers = engine.workers().stream().map(Worker::probe).toList();
    operators = new AtomicLongArray(engine.operators().size());
    activities = new AtomicLongArray(workers.size() * (ACTIVITIES + 1));
    thread = new Thread(this::run, "millrace-" + application + "-busy-time");
    thread.setDaemon(true);
  }

  /// Starts sampling. Called when the workers start.
  static BusyTime start(Engine engine, String application) {
    BusyTime started = new BusyTime(engine, application);
    started.thread.start();
    return started;
  }

  private void run() {
    while (!closed) {
      long pause = ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
      LockSupport.parkNanos(allWait() ? IDLE_FACTOR * pause : pause);
      look();
    }
  }

  private boolean allWait() {
    for (int worker = 0; worker < workers.size(); worker++) {
      Probe probe = workers.get(worker);
      if (probe.operator() >= 0 || !probe.activity().waits()) {
        return false;
      }
    }
    return true;
  }

  /// Samples for who asks, unless the last sample is new.
  private void refresh() {
    if (System.nanoTime() - sampledNanos > LONGEST_PAUSE_NANOS) {
      look();
    }
  }

  private synchronized void look() {
    long now = System.nanoTime();
    long nanos = now - sampledNanos;
    sampledNanos = now;
    for (int worker = 0; worker < workers.size(); worker++) {
      Probe probe = workers.get(worker);
      int operator = probe.operator();
      int of = ACTIVITIES;
      if (operator >= 0) {
        operators.addAndGet(operator, nanos);
      } else {
        of = probe.activity().number();
      }
      activities.addAndGet(worker * (ACTIVITIES + 1) + of, nanos);
    }
  }

  int workers() {
    return workers.size();
  }

  /// Returns the time that all workers were in an operator.
  long nanosOf(int operator) {
    refresh();
    return operators.get(operator);
  }

  /// Returns the time that a worker did something else.
  long nanosOf(int worker, Activity activity) {
    refresh();
    return activities.get(worker * (ACTIVITIES + 1) + activity.number());
  }

  /// Returns the time that a worker was in operators.
  long nanosInOperators(int worker) {
    refresh();
    return activities.get(worker * (ACTIVITIES + 1) + ACTIVITIES);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}

package dev.millrace.internal.beam.portable.stage;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Hands what the threads of a harness's connections want done over to the thread of the task,
/// which waits for a bundle meanwhile: stores and sinks belong to that thread.
///
/// Who brings more than there is room for waits, so that a harness is not faster than the task.
final class Mailbox {
  private static final int MOST = 1_000;

  private final ArrayDeque<Runnable> wanted = new ArrayDeque<>();
  private boolean ended;
  private boolean closed;

  /// Has something done by the task's thread.
  ///
  /// @throws IllegalStateException if the bundle is over
  void put(Runnable what) throws InterruptedException {
    synchronized (wanted) {
      while (wanted.size() >= MOST && !closed) {
        wanted.wait();
      }
      if (closed) {
        throw new IllegalStateException("The bundle is over.");
      }
      wanted.add(what);
      wanted.notifyAll();
    }
  }

  /// Returns what the task's thread answers.
  ///
  /// @throws ExecutionException if the answer cannot be had
  /// @throws CancellationException if the bundle is over
  <T> T ask(Callable<T> question) throws InterruptedException, ExecutionException {
    FutureTask<T> asked = new FutureTask<>(question);
    put(asked);
    return asked.get();
  }

  /// The bundle has come to its end; all that belongs to it has been put here.
  void end() {
    synchronized (wanted) {
      ended = true;
      wanted.notifyAll();
    }
  }

  /// Does what is wanted until the bundle has come to its end.
  ///
  /// @param late is done whenever the bundle has gone on for another interval
  void serve(Duration interval, Runnable late) throws InterruptedException {
    long due = System.nanoTime() + interval.toNanos();
    while (true) {
      Runnable next = next(due);
      if (next != null) {
        next.run();
      }
      if (System.nanoTime() >= due) {
        late.run();
        due += interval.toNanos();
      } else if (next == null) {
        return;
      }
    }
  }

  private @Nullable Runnable next(long due) throws InterruptedException {
    synchronized (wanted) {
      long left = due - System.nanoTime();
      while (wanted.isEmpty() && !ended && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(wanted, left);
        left = due - System.nanoTime();
      }
      Runnable next = wanted.poll();
      wanted.notifyAll();
      return next;
    }
  }

  /// Nothing is done any more: who waits for an answer gets none.
  void close() {
    synchronized (wanted) {
      closed = true;
      for (Runnable each : wanted) {
        if (each instanceof FutureTask<?> asked) {
          asked.cancel(false);
        }
      }
      wanted.clear();
      wanted.notifyAll();
    }
  }
}

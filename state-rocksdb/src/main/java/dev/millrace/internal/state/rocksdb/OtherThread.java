package dev.millrace.internal.state.rocksdb;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.rocksdb.RocksDBException;

/// What another thread does with the database.
final class OtherThread {
  private OtherThread() {}

  /// Waits until it is done, even if this thread is interrupted: whoever goes on may close the
  /// database.
  static void await(Future<?> work) {
    boolean interrupted = false;
    while (!work.isDone()) {
      try {
        work.get();
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        break; // told by rethrow
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Throws what it has met, if anything.
  ///
  /// @param done see [#await]
  static void rethrow(Future<?> done) throws RocksDBException {
    switch (done.state()) {
      case SUCCESS -> {}
      case FAILED -> {
        switch (done.exceptionNow()) {
          case RocksDBException e -> throw e;
          case RuntimeException e -> throw e;
          case Error e -> throw e;
          case Throwable e -> throw new IllegalStateException("Another thread has failed.", e);
        }
      }
      case RUNNING, CANCELLED -> throw new IllegalStateException("Work was given up.");
    }
  }
}

package dev.millrace.internal.state.rocksdb;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.rocksdb.RocksDBException;

/// Work on the database that another thread does.
final class OtherThread {
  private OtherThread() {}

  /// Waits until the work is done, even if this thread is interrupted, because the caller may close
  /// the database afterwards.
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

  /// Throws the failure of the work, if any.
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
      case RUNNING, CANCELLED -> throw new IllegalStateException("The work was interrupted.");
    }
  }
}

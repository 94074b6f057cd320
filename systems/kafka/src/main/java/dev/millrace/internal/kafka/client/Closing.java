package dev.millrace.internal.kafka.client;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes clients in the background, because a consumer waits for the answer to its last fetch,
/// half a second if nothing is written. Thread-safe.
public final class Closing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private final List<Thread> threads = new ArrayList<>();

  /// Starts to close a client that is not used any more.
  public synchronized void close(String what, Runnable close) {
    threads.removeIf(thread -> !thread.isAlive());
    threads.add(
        Thread.ofPlatform()
            .daemon()
            .name("millrace-closing")
            .start(() -> {
              try {
                close.run();
              } catch (RuntimeException e) { // outermost: the end of this thread
                LOG.warn("{} could not be closed: {}", what, KafkaFailures.text(e));
              }
            }));
  }

  /// Waits until all are closed.
  @Override
  public void close() {
    List<Thread> closing;
    synchronized (this) {
      closing = List.copyOf(threads);
      threads.clear();
    }
    try {
      for (Thread thread : closing) {
        thread.join();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.process.Pace;
import dev.millrace.benchmarks.process.Sending;
import java.time.Duration;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Writes the events: one for each key, then numbered ones at a rate. Used by one thread.
final class Load implements AutoCloseable {
  private static final Duration LINGER = Duration.ofMillis(20);
  private static final int TELL_EVERY = 100_000;

  private final String topic;
  private final Expected expected;
  private final Sending sending;
  private @Nullable Thread steady;
  private volatile boolean stopped;

  Load(String bootstrap, String topic, Expected expected) {
    this.topic = topic;
    this.expected = expected;
    sending = new Sending(bootstrap, LINGER);
  }

  /// Fills the state, and waits until all is written.
  void fill(IntConsumer progress) {
    for (int key = 0; key < expected.keys(); key++) {
      send(expected.filling(key));
      if (key % TELL_EVERY == 0) {
        progress.accept(key);
      }
    }
    sending.finish();
  }

  private void send(Event event) {
    sending.send(topic, Event.keyBytes(event.key()), event.value());
  }

  /// Goes on with numbered events from now on.
  void begin(int perSecond) {
    stopped = false;
    steady =
        Thread.ofPlatform()
            .daemon()
            .name("steady-load")
            .start(() -> Pace.keep(_ -> !stopped, perSecond, _ -> send(expected.next())));
  }

  /// Writes numbered events as fast as it can, and waits until all are written.
  void burst(int events) {
    for (int i = 0; i < events; i++) {
      send(expected.next());
    }
    sending.finish();
  }

  /// Ends what [#begin] has begun, and waits until all is written.
  void stop() throws InterruptedException {
    stopped = true;
    Thread running = steady;
    if (running != null) {
      running.join();
      steady = null;
    }
    sending.finish();
  }

  @Override
  public void close() {
    stopped = true;
    sending.close();
  }
}

package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.process.Pace;
import dev.millrace.benchmarks.process.Sending;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Writes the input: first an event for each key, then numbered ones, so many a second.
final class Input implements AutoCloseable {
  private static final Duration LINGER = Duration.ofMillis(5);
  private static final int TELL_EVERY = 100_000;

  private final String topic;
  private final Ledger ledger;
  private final Sending sending;
  private @Nullable Thread steady;
  private final AtomicLong burst = new AtomicLong();
  private volatile boolean stopped;

  Input(String bootstrap, String topic, Ledger ledger) {
    this.topic = topic;
    this.ledger = ledger;
    sending = new Sending(bootstrap, LINGER);
  }

  /// Fills the state, and waits until all is written.
  void fill(long keys, LongConsumer progress) {
    for (long key = 0; key < keys; key++) {
      send(Ledger.filling(key));
      if (key % TELL_EVERY == 0) {
        progress.accept(key);
      }
    }
    sending.finish();
  }

  private void send(Event event) {
    sending.send(topic, Event.keyBytes(event.key()), event.value());
  }

  /// Goes on with numbered events from now on, and with those of [#burst].
  void begin(int perSecond) {
    steady =
        Thread.ofPlatform()
            .daemon()
            .name("steady-input")
            .start(() -> Pace.keep(_ -> !stopped, perSecond, _ -> sendNext()));
  }

  private void sendNext() {
    send(ledger.next());
    for (; burst.get() > 0 && !stopped; burst.decrementAndGet()) {
      send(ledger.next());
    }
  }

  /// Sends so many numbered events more, as fast as it can; waits until it has.
  void burst(long events) throws InterruptedException {
    burst.set(events);
    while (burst.get() > 0) {
      Thread.sleep(1);
    }
  }

  /// Ends the numbered events, and waits until all are written.
  void stop() throws InterruptedException {
    stopped = true;
    Thread running = steady;
    if (running != null) {
      running.join();
    }
    sending.finish();
  }

  @Override
  public void close() {
    stopped = true;
    sending.close();
  }
}

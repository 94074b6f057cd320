package dev.millrace.internal.kafka.write;

import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/// A transaction, which is shared by the owner of a writer, the writer's thread and the producer's
/// thread.
public final class Transaction {
  /// Called by the producer's thread for the first failure to send.
  @FunctionalInterface
  public interface FailureListener {
    void failed(Transaction transaction);
  }

  private final FailureListener listener;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private volatile boolean abandoned;
  private volatile @Nullable Outcome outcome;

  // Used by the writer's thread alone.
  private final List<Sent> sent = new ArrayList<>();
  private boolean begun;
  private boolean outside;

  public Transaction(FailureListener listener) {
    this.listener = listener;
  }

  /// Receives the outcome of the records of one batch, from the producer's thread.
  final class Sent implements Callback {
    private final Split to;
    private long end = -1;

    private Sent(Split to) {
      this.to = to;
    }

    Split to() {
      return to;
    }

    boolean isInVain() {
      return Transaction.this.isInVain();
    }

    /// Notes that its records are in the log.
    ///
    /// @param newEnd the offset behind the last of them, -1 if the log does not say
    void acknowledge(long newEnd) {
      end = Math.max(end, newEnd);
    }

    /// Notes that some or all of its records will not be in the log.
    public void fail(String why) {
      failLater(why);
    }

    @Override
    public void onCompletion(RecordMetadata metadata, @Nullable Exception exception) {
      if (exception != null) {
        failLater("Sending to %s failed: %s".formatted(to, KafkaFailures.text(exception)));
      } else if (metadata.hasOffset()) {
        end = metadata.offset() + 1;
      } else {
        failLater("Kafka acknowledged a record of %s without its offset.".formatted(to));
      }
    }
  }

  /// Does [#fail], and reports the first failure to the listener.
  void failLater(String why) {
    if (fail(why)) {
      listener.failed(this);
    }
  }

  /// Fails the transaction.
  ///
  /// @return whether this is the first failure
  public boolean fail(String why) {
    return failure.compareAndSet(null, why);
  }

  boolean hasFailed() {
    return failure.get() != null;
  }

  /// Returns why it was not committed; empty if it was.
  public String failure() {
    String why = failure.get();
    return why == null ? "" : why;
  }

  /// Abandons the transaction: its outcome is not needed any more.
  void abandon() {
    abandoned = true;
  }

  /// Returns whether nothing more needs to be done for it, but to end it.
  boolean isInVain() {
    return isDecided() || hasFailed();
  }

  boolean isDecided() {
    return abandoned || outcome != null;
  }

  void decide(Outcome decided) {
    outcome = decided;
  }

  void decide(Outcome decided, String why) {
    failure.set(why);
    outcome = decided;
  }

  /// Returns the outcome; null as long as it is not known.
  public @Nullable Outcome outcome() {
    return outcome;
  }

  /// Notes that the producer knows the transaction and has to end it.
  void begin() {
    begun = true;
  }

  boolean begun() {
    return begun;
  }

  void useOutside() {
    outside = true;
  }

  boolean usedOutside() {
    return outside;
  }

  public Sent inside(Split to) {
    Sent one = new Sent(to);
    sent.add(one);
    return one;
  }

  Sent outside(Split to) {
    return new Sent(to);
  }

  /// Returns the offsets behind the last records of each split; only once it is committed.
  Map<Split, Long> ends() {
    Map<Split, Long> ends = new HashMap<>();
    sent.forEach(each -> ends.merge(each.to, each.end, Math::max));
    return ends;
  }
}

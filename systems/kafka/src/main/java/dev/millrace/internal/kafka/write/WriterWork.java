package dev.millrace.internal.kafka.write;

import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.internal.kafka.client.Words;
import dev.millrace.internal.kafka.write.TransactionDriver.Ended;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// The work of the thread of a [KafkaWriter] with a producer, which may wait for Kafka. A
/// transaction is decided when [#commit] or [#abort] returns, whatever happens.
///
/// Used only by that thread, except [#id], [#thread] and [#kill].
public final class WriterWork {
  private final WriterName name;
  private final TransactionDriver producer;
  private final WritableTopics topics;

  public WriterWork(WriterName name, TransactionDriver producer, WritableTopics topics) {
    this.name = name;
    this.producer = producer;
    this.topics = topics;
  }

  /// Returns a new thread that runs everything else here, in the order in which it is handed over.
  ExecutorService thread() {
    return producer.thread();
  }

  /// Returns the id of the writer; null until the first [#open].
  @Nullable WriterId id() {
    return producer.id();
  }

  /// Makes the producer ready, whatever its state; see [dev.millrace.spi.TransactionalWriter#open].
  public void open() {
    producer.open();
  }

  /// Adds records to a transaction; takes over the caller's reference.
  public void send(Transaction transaction, Split to, RecordBatch batch) {
    try {
      attempt(
          transaction,
          "Sending to " + to + " failed",
          () -> {
            int largest = topics.largestBatchBytes(to);
            begin(transaction);
            producer.send(transaction, to, batch, largest);
          });
    } finally {
      batch.release();
    }
  }

  /// Writes records outside the transactions; takes over the caller's reference.
  void sendOutside(Transaction transaction, Split to, RecordBatch batch) {
    try {
      attempt(
          transaction,
          "Sending to " + to + " outside the transaction failed",
          () -> {
            int largest = topics.largestBatchBytes(to);
            transaction.useOutside();
            producer.sendOutside(transaction, to, batch, largest);
          });
    } finally {
      batch.release();
    }
  }

  public void sendPositions(Transaction transaction, String group, Map<Split, Position> positions) {
    attempt(
        transaction,
        "Sending the positions of group '" + group + "' failed",
        () -> {
          positions.keySet().forEach(topics::largestBatchBytes);
          begin(transaction);
          producer.sendPositions(transaction, group, positions);
        });
  }

  private void begin(Transaction transaction) {
    if (!transaction.begun()) {
      producer.begin(transaction);
    }
  }

  /// Does something for a transaction, and aborts it if that fails.
  private void attempt(Transaction transaction, String failed, Runnable action) {
    if (transaction.isInVain()) {
      return;
    }
    try {
      action.run();
    } catch (LogException e) {
      if (e.kind() == Kind.FENCED) {
        transaction.decide(Outcome.FENCED, failed + ": " + e.getMessage());
        return;
      }
      transaction.fail(failed + ": " + e.getMessage());
    } catch (KafkaException | IllegalStateException | IllegalArgumentException e) {
      transaction.fail(failed + ": " + KafkaFailures.text(e));
    }
    if (transaction.hasFailed()) {
      abort(transaction);
    }
  }

  public void commit(Transaction transaction) {
    if (transaction.isDecided()) {
      return;
    }
    if (transaction.hasFailed()) {
      abort(transaction);
      return;
    }
    attempt(transaction, "Sending failed", () -> producer.flush(transaction));
    if (!transaction.isDecided()) {
      end(transaction, true);
    }
  }

  /// Aborts a transaction that has failed, unless that was done.
  public void abort(Transaction transaction) {
    if (!transaction.isDecided()) {
      topics.forget();
      producer.drop(transaction);
      end(transaction, false);
    }
  }

  private void end(Transaction transaction, boolean commit) {
    Outcome done = commit ? Outcome.COMMITTED : Outcome.ABORTED;
    Ended ended = transaction.begun() ? producer.end(commit) : Ended.DONE;
    if (ended != Ended.DONE) {
      topics.forget();
    }
    String why = producer.endFailure();
    String before = transaction.failure();
    switch (ended) {
      case DONE -> transaction.decide(done);
      case ABORTED -> transaction.decide(Outcome.ABORTED, Words.both(before, why));
      case FENCED -> transaction.decide(Outcome.FENCED, name.fenced(why));
      case EXPIRED -> expired(transaction, Words.both(before, name.expired(why)));
      case UNANSWERED, FAILED -> transaction.decide(Outcome.UNKNOWN, Words.both(before, why));
    }
  }

  private void expired(Transaction transaction, String why) {
    try {
      producer.open();
      transaction.decide(Outcome.ABORTED, why);
    } catch (LogException e) {
      transaction.decide(
          e.kind() == Kind.FENCED ? Outcome.FENCED : Outcome.UNKNOWN,
          Words.both(why, String.valueOf(e.getMessage())));
    }
  }

  /// Releases all resources, within a few seconds.
  public void close() {
    producer.close();
  }

  /// Releases all resources at once, and interrupts the waits of the thread.
  void kill() {
    producer.kill();
  }
}

package dev.millrace.kafka;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.Outcome;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the thread of a [KafkaWriter] does with a producer: all that may wait for Kafka.
///
/// Used by that thread alone, but [#id] and [#kill]. It leaves a transaction decided, whatever
/// happens; a producer that is of no use any more is replaced by [#open].
final class TransactionalProducer implements TransactionDriver {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionalProducer.class);

  /// How often the producer is asked again to end a transaction. It goes on by itself meanwhile.
  private static final int TRIES = 3;

  private static final Duration CLOSE = Duration.ofSeconds(2);

  private enum Phase {
    NONE,
    /// Its id was asked for.
    INITIALIZING,
    /// It has one, and it is to be found out which.
    UNNAMED,
    READY,
    IN_TRANSACTION,
    COMMITTING,
    ABORTING,
    /// The producer is of no use any more.
    BROKEN
  }

  private enum Ended {
    DONE,
    FENCED,
    /// The log had aborted what was to be committed.
    EXPIRED,
    /// No answer came in time.
    UNANSWERED,
    FAILED
  }

  private final String name;
  private final Duration timeout;
  private final ClientFactory clients;
  private final WriterIds ids;
  private final WritableTopics topics;

  private Phase phase = Phase.NONE;
  private volatile @Nullable Producer<byte[], byte[]> producer;
  private volatile @Nullable Producer<byte[], byte[]> outside;
  private volatile @Nullable WriterId id;
  private volatile boolean killed;
  private @Nullable RuntimeException endFailure;

  TransactionalProducer(
      String name, Duration timeout, ClientFactory clients, WriterIds ids, WritableTopics topics) {
    this.name = name;
    this.timeout = timeout;
    this.clients = clients;
    this.ids = ids;
    this.topics = topics;
  }

  @Override
  public ExecutorService thread() {
    return Executors.newSingleThreadExecutor(
        Thread.ofPlatform().daemon().name("millrace-writer-" + name).factory());
  }

  @Override
  public @Nullable WriterId id() {
    return id;
  }

  /// Makes the producer ready, whatever it was doing.
  @Override
  public void open() {
    finishEnd();
    if (phase == Phase.BROKEN) {
      closeProducer(Duration.ZERO);
      phase = Phase.NONE;
    }
    switch (phase) {
      case NONE -> {
        WriterId known = id;
        if (known != null) {
          ids.requireNobodyTookOver(known);
        }
        producer = clients.transactional(name, timeout);
        closeIfKilled();
        phase = Phase.INITIALIZING;
        initialize();
      }
      case INITIALIZING -> initialize();
      case UNNAMED -> findName();
      case READY -> {
        WriterId known = id;
        if (known != null) {
          id = ids.requireStillOurs(known);
        }
      }
      case IN_TRANSACTION, COMMITTING, ABORTING, BROKEN -> throw new AssertionError(phase);
    }
  }

  /// Ends the transaction that was left open, or whose outcome is not known: by the same producer,
  /// so that one that was fenced hears of it and does not bar its successor.
  private void finishEnd() {
    Ended ended =
        switch (phase) {
          case IN_TRANSACTION, ABORTING -> abortNow();
          case COMMITTING -> commitNow();
          case NONE, INITIALIZING, UNNAMED, READY, BROKEN -> Ended.DONE;
        };
    switch (ended) {
      case DONE -> {}
      case FENCED -> throw new LogException(Kind.FENCED, fenced(endFailure), endFailure);
      case EXPIRED -> phase = Phase.BROKEN;
      case UNANSWERED -> {
        boolean aborting = phase == Phase.ABORTING;
        if (aborting) {
          // Something in its queue may be in the way. A new producer aborts just as well.
          phase = Phase.BROKEN;
        }
        throw unavailable(aborting ? "abort" : "commit", endFailure);
      }
      case FAILED -> {
        if (phase == Phase.IN_TRANSACTION || phase == Phase.COMMITTING) {
          // The producer wants the transaction aborted instead.
          phase = Phase.IN_TRANSACTION;
          finishEnd();
        }
      }
    }
  }

  private void initialize() {
    try {
      producer().initTransactions();
    } catch (TimeoutException e) {
      throw unavailable("initialization", e);
    } catch (KafkaException | IllegalStateException e) {
      phase = Phase.BROKEN;
      throw KafkaFailures.of("Writer '" + name + "' cannot be opened", e);
    }
    phase = Phase.UNNAMED;
    findName();
  }

  private void findName() {
    id = ids.find(name);
    phase = Phase.READY;
  }

  private LogException unavailable(String what, @Nullable Throwable cause) {
    return new LogException(
        Kind.UNAVAILABLE,
        "Kafka does not answer the %s of writer '%s'. It is tried again when the writer is opened."
            .formatted(what, name),
        cause);
  }

  private Producer<byte[], byte[]> producer() {
    Producer<byte[], byte[]> current = producer;
    if (current == null) {
      throw new IllegalStateException("Writer '" + name + "' has no producer.");
    }
    return current;
  }

  private Producer<byte[], byte[]> outside() {
    Producer<byte[], byte[]> current = outside;
    if (current == null) {
      current = clients.outside(name, timeout);
      outside = current;
      closeIfKilled();
    }
    return current;
  }

  @Override
  public void send(Transaction transaction, Split to, RecordBatch batch) {
    try {
      attempt(
          transaction,
          "Sending to " + to + " failed",
          () -> {
            int largest = topics.largestBatchBytes(to);
            begin(transaction);
            RecordSending.send(batch, transaction.inside(to), producer(), largest);
          });
    } finally {
      batch.release();
    }
  }

  @Override
  public void sendOutside(Transaction transaction, Split to, RecordBatch batch) {
    try {
      attempt(
          transaction,
          "Sending to " + to + " outside the transaction failed",
          () -> {
            int largest = topics.largestBatchBytes(to);
            transaction.useOutside();
            RecordSending.send(batch, transaction.outside(to), outside(), largest);
          });
    } finally {
      batch.release();
    }
  }

  @Override
  public void sendPositions(Transaction transaction, String group, Map<Split, Position> positions) {
    String what = "Sending the positions of group '" + group + "' failed";
    attempt(
        transaction,
        what,
        () -> {
          positions.keySet().forEach(topics::largestBatchBytes);
          begin(transaction);
          producer()
              .sendOffsetsToTransaction(
                  GroupPositions.offsets(positions), GroupPositions.withoutMembers(group));
        });
  }

  private void begin(Transaction transaction) {
    if (!transaction.begun()) {
      transaction.begin();
      phase = Phase.IN_TRANSACTION;
      producer().beginTransaction();
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
      transaction.fail(failed + ": " + e.getMessage());
    } catch (KafkaException | IllegalStateException | IllegalArgumentException e) {
      transaction.fail(failed + ": " + KafkaFailures.text(e));
    }
    if (transaction.hasFailed()) {
      abort(transaction);
    }
  }

  @Override
  public void commit(Transaction transaction) {
    if (transaction.isDecided()) {
      return;
    }
    flush(transaction);
    if (transaction.hasFailed()) {
      abort(transaction);
    } else if (!transaction.begun()) {
      transaction.decide(Outcome.COMMITTED);
    } else {
      decide(transaction, commitNow());
    }
  }

  private void decide(Transaction transaction, Ended ended) {
    switch (ended) {
      case DONE -> {
        WriterId known = id;
        if (known != null) {
          id = ids.afterCommit(known);
        }
        transaction.decide(Outcome.COMMITTED);
      }
      case FENCED -> transaction.decide(Outcome.FENCED, fenced(endFailure));
      case EXPIRED -> expired(transaction, "");
      case UNANSWERED ->
          transaction.decide(
              Outcome.UNKNOWN, "Kafka did not answer the commit of writer '" + name + "' in time.");
      case FAILED -> {
        transaction.fail("The commit failed: " + text(endFailure));
        phase = Phase.IN_TRANSACTION;
        abort(transaction);
      }
    }
  }

  /// @param before what had failed before; empty if nothing had
  private void expired(Transaction transaction, String before) {
    String told =
        "The log knows nothing of the transaction of writer '%s' (%s). It ends those that take longer than %s."
            .formatted(name, text(endFailure), timeout);
    String why = before.isEmpty() ? told : before + " " + told;
    phase = Phase.BROKEN;
    try {
      open();
      transaction.decide(Outcome.ABORTED, why);
    } catch (LogException e) {
      transaction.decide(
          e.kind() == Kind.FENCED ? Outcome.FENCED : Outcome.UNKNOWN, why + " " + e.getMessage());
    }
  }

  /// Aborts a transaction that has failed, unless that was done.
  @Override
  public void abort(Transaction transaction) {
    if (transaction.isDecided()) {
      return;
    }
    topics.forget();
    if (transaction.usedOutside()) {
      closeOutside(Duration.ZERO);
    }
    if (!transaction.begun()) {
      transaction.decide(Outcome.ABORTED);
      return;
    }
    switch (abortNow()) {
      case DONE -> {
        WriterId known = id;
        if (known != null) {
          id = ids.afterAbort(known);
        }
        transaction.decide(Outcome.ABORTED);
      }
      case FENCED -> transaction.decide(Outcome.FENCED, fenced(endFailure));
      case UNANSWERED ->
          transaction.decide(
              Outcome.UNKNOWN,
              "%s Kafka did not answer the abort of writer '%s' in time."
                  .formatted(transaction.failure(), name));
      case EXPIRED -> expired(transaction, transaction.failure());
      case FAILED ->
          transaction.decide(
              Outcome.UNKNOWN,
              transaction.failure() + " The abort failed, too: " + text(endFailure));
    }
  }

  /// Waits until all is acknowledged or refused. A commit would wait, too, but what is added while
  /// the producer looks for records that are left may be left out of it (kafka-clients 4.3.1).
  private void flush(Transaction transaction) {
    try {
      if (transaction.begun()) {
        producer().flush();
      }
      if (transaction.usedOutside()) {
        outside().flush();
      }
    } catch (InterruptException e) {
      transaction.fail("The thread was interrupted while records were sent.");
    }
  }

  private Ended commitNow() {
    for (int i = 0; i < TRIES; i++) {
      try {
        producer().commitTransaction();
        phase = Phase.READY;
        return Ended.DONE;
      } catch (TimeoutException e) {
        phase = Phase.COMMITTING;
        endFailure = e;
      } catch (ProducerFencedException e) {
        return barred(e);
      } catch (InvalidTxnStateException e) {
        phase = Phase.BROKEN;
        return ended(Ended.EXPIRED, e);
      } catch (InterruptException e) {
        phase = Phase.COMMITTING;
        return ended(Ended.UNANSWERED, e);
      } catch (KafkaException | IllegalStateException e) {
        return ended(Ended.FAILED, e);
      }
    }
    return Ended.UNANSWERED;
  }

  private Ended abortNow() {
    for (int i = 0; i < TRIES; i++) {
      try {
        producer().abortTransaction();
        phase = Phase.READY;
        return Ended.DONE;
      } catch (TimeoutException e) {
        phase = Phase.ABORTING;
        endFailure = e;
      } catch (ProducerFencedException | InvalidProducerEpochException e) {
        return barred(e);
      } catch (InterruptException e) {
        phase = Phase.ABORTING;
        return ended(Ended.UNANSWERED, e);
      } catch (KafkaException | IllegalStateException e) {
        phase = Phase.BROKEN;
        return KafkaFailures.isFencing(e) ? barred(e) : ended(Ended.FAILED, e);
      }
    }
    return Ended.UNANSWERED;
  }

  /// Kafka gives the same answer to a writer that was replaced and, at times, to one whose
  /// transaction the log ended because it took too long. The coordinator knows which it is.
  private Ended barred(RuntimeException why) {
    phase = Phase.BROKEN;
    WriterId known = id;
    if (known == null) {
      return ended(Ended.FENCED, why);
    }
    try {
      ids.requireNobodyTookOver(known);
      return ended(Ended.EXPIRED, why);
    } catch (LogException e) {
      return e.kind() == Kind.FENCED
          ? ended(Ended.FENCED, why)
          // A new producer asks once more before it begins.
          : ended(Ended.UNANSWERED, e);
    }
  }

  private Ended ended(Ended how, RuntimeException why) {
    endFailure = why;
    return how;
  }

  private String fenced(@Nullable Throwable cause) {
    return ("Writer '%s' was fenced: another writer with this id took over, or its transaction took"
            + " longer than %s. Kafka says: %s")
        .formatted(name, timeout, text(cause));
  }

  private static String text(@Nullable Throwable cause) {
    return cause == null ? "nothing" : KafkaFailures.text(cause);
  }

  /// Lets go of everything, within a few seconds. What the producer has open it aborts if it can.
  @Override
  public void close() {
    closeOutside(Duration.ZERO);
    closeProducer(CLOSE);
    phase = Phase.NONE;
  }

  /// Lets go of everything at once. Thread-safe; ends what the thread is waiting for.
  @Override
  public void kill() {
    killed = true;
    closeOutside(Duration.ZERO);
    closeProducer(Duration.ZERO);
  }

  /// A producer may have been made while [#kill] looked for one.
  private void closeIfKilled() {
    if (killed) {
      kill();
    }
  }

  private void closeProducer(Duration patience) {
    Producer<byte[], byte[]> current = producer;
    producer = null;
    close(current, patience);
  }

  private void closeOutside(Duration patience) {
    Producer<byte[], byte[]> current = outside;
    outside = null;
    close(current, patience);
  }

  private void close(@Nullable Producer<byte[], byte[]> closed, Duration patience) {
    if (closed != null) {
      try {
        closed.close(patience);
      } catch (KafkaException e) {
        LOG.warn("A producer of writer '{}' did not close cleanly.", name, e);
      }
    }
  }
}

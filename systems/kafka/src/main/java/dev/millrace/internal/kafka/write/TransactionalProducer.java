package dev.millrace.internal.kafka.write;

import dev.millrace.internal.kafka.client.GroupPositions;
import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
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

/// Does transactions with the official producer. [#open] replaces a producer that cannot be used
/// any more.
public final class TransactionalProducer implements TransactionDriver {
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

  private final WriterName name;
  private final Producers producers;
  private final WriterIds ids;

  private Phase phase = Phase.NONE;
  private volatile @Nullable Producer<byte[], byte[]> producer;
  private volatile @Nullable Producer<byte[], byte[]> outside;
  private volatile @Nullable WriterId id;
  private volatile boolean killed;
  private @Nullable RuntimeException endFailure;
  private String told = "";

  public TransactionalProducer(WriterName name, Producers producers, WriterIds ids) {
    this.name = name;
    this.producers = producers;
    this.ids = ids;
  }

  @Override
  public ExecutorService thread() {
    return Executors.newSingleThreadExecutor(
        Thread.ofPlatform().daemon().name("millrace-writer-" + name.text()).factory());
  }

  @Override
  public @Nullable WriterId id() {
    return id;
  }

  /// Makes the producer ready, whatever its state.
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
        producer = producers.transactional(name.text(), name.timeout());
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
  /// so that one that was fenced is told so and does not fence its successor.
  private void finishEnd() {
    Ended ended =
        switch (phase) {
          case IN_TRANSACTION, ABORTING -> abortNow();
          case COMMITTING -> commitNow();
          case NONE, INITIALIZING, UNNAMED, READY, BROKEN -> Ended.DONE;
        };
    switch (ended) {
      case DONE, ABORTED -> {}
      case FENCED -> throw new LogException(Kind.FENCED, name.fenced(text(endFailure)), endFailure);
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
      throw KafkaFailures.of("Writer '" + name.text() + "' cannot be opened", e);
    }
    phase = Phase.UNNAMED;
    findName();
  }

  private void findName() {
    id = ids.find(name.text());
    phase = Phase.READY;
  }

  private LogException unavailable(String what, @Nullable Throwable cause) {
    return new LogException(
        Kind.UNAVAILABLE,
        "Kafka did not answer the %s of writer '%s'. It is tried again when the writer is opened."
            .formatted(what, name.text()),
        cause);
  }

  private Producer<byte[], byte[]> producer() {
    Producer<byte[], byte[]> current = producer;
    if (current == null) {
      throw new IllegalStateException("Writer '" + name.text() + "' has no producer.");
    }
    return current;
  }

  private Producer<byte[], byte[]> outside() {
    Producer<byte[], byte[]> current = outside;
    if (current == null) {
      current = producers.outside(name.text(), name.timeout());
      outside = current;
      closeIfKilled();
    }
    return current;
  }

  @Override
  public void begin(Transaction transaction) {
    transaction.begin();
    phase = Phase.IN_TRANSACTION;
    producer().beginTransaction();
  }

  @Override
  public void send(Transaction transaction, Split to, RecordBatch batch, int largestBatchBytes) {
    RecordSending.send(batch, transaction.inside(to), producer(), largestBatchBytes);
  }

  @Override
  public void sendOutside(
      Transaction transaction, Split to, RecordBatch batch, int largestBatchBytes) {
    RecordSending.send(batch, transaction.outside(to), outside(), largestBatchBytes);
  }

  @Override
  public void sendPositions(Transaction transaction, String group, Map<Split, Position> positions) {
    producer()
        .sendOffsetsToTransaction(
            GroupPositions.offsets(positions), GroupPositions.withoutMembers(group));
  }

  /// Waits until all records are acknowledged or refused. A commit would wait, too, but may leave
  /// out records that are added while the producer searches for unsent ones (kafka-clients 4.3.1).
  @Override
  public void flush(Transaction transaction) {
    if (transaction.begun()) {
      producer().flush();
    }
    if (transaction.usedOutside()) {
      outside().flush();
    }
  }

  @Override
  public void drop(Transaction transaction) {
    if (transaction.usedOutside()) {
      closeOutside(Duration.ZERO);
    }
  }

  @Override
  public Ended end(boolean commit) {
    Ended ended = commit ? commitNow() : abortNow();
    told = told(ended, commit);
    if (commit && ended == Ended.FAILED) {
      String refused = "The commit failed: " + told;
      phase = Phase.IN_TRANSACTION;
      Ended aborted = abortNow();
      ended = aborted == Ended.DONE ? Ended.ABORTED : aborted;
      told = aborted == Ended.DONE ? refused : refused + " " + told(aborted, false);
    }
    WriterId known = id;
    if (known != null && (ended == Ended.DONE || ended == Ended.ABORTED)) {
      id = commit && ended == Ended.DONE ? ids.afterCommit(known) : ids.afterAbort(known);
    }
    return ended;
  }

  private String told(Ended ended, boolean commit) {
    String what = commit ? "commit" : "abort";
    return switch (ended) {
      case UNANSWERED ->
          "Kafka did not answer the %s of writer '%s' in time: %s"
              .formatted(what, name.text(), text(endFailure));
      case FAILED -> commit ? text(endFailure) : "The abort failed: " + text(endFailure);
      case DONE, ABORTED, FENCED, EXPIRED -> text(endFailure);
    };
  }

  @Override
  public String endFailure() {
    return told;
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

  private Ended barred(RuntimeException why) {
    phase = Phase.BROKEN;
    WriterId known = id;
    return ended(known == null ? Ended.FENCED : ids.whyBarred(known), why);
  }

  private Ended ended(Ended how, RuntimeException why) {
    endFailure = why;
    return how;
  }

  private static String text(@Nullable Throwable cause) {
    return cause == null ? "nothing" : KafkaFailures.text(cause);
  }

  /// Releases all resources, within a few seconds. The producer aborts its open transaction if it
  /// can.
  @Override
  public void close() {
    closeOutside(Duration.ZERO);
    closeProducer(CLOSE);
    phase = Phase.NONE;
  }

  /// Releases all resources at once, and interrupts the waits of the thread. Thread-safe.
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
        LOG.warn("A producer of writer '{}' did not close cleanly.", name.text(), e);
      }
    }
  }
}

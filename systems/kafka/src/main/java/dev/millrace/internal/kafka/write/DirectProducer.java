package dev.millrace.internal.kafka.write;

import dev.millrace.internal.kafka.client.DirectSettings;
import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.internal.kafka.client.Words;
import dev.millrace.internal.kafka.wire.Wire;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A producer of transactions of version 2, with requests of Millrace's own: whole batches, and at
/// each end of a transaction a new epoch from the coordinator's answer.
///
/// If the answer to the end of a transaction is lost, the request is repeated with the same epoch:
/// the coordinator repeats its answer, or answers that the transaction ended the other way. It also
/// repeats an answer that has arrived, as soon as all partitions have the marker ([#awaitMarkers]).
public final class DirectProducer implements TransactionDriver {
  private static final Logger LOG = LoggerFactory.getLogger(DirectProducer.class);
  private static final Duration STEP = Duration.ofMillis(20);

  /// How long nothing is waited for while there is nothing to do; brokers close what is idle.
  private static final Duration IDLE = Duration.ofSeconds(1);

  /// How long nothing more must have come for batches that are not full to be sent: what is added
  /// together goes in one request.
  private static final Duration SHORTLY = Duration.ofMillis(1);

  /// How long the markers of a transaction are waited for before a broker is left to wait for them.
  private static final Duration MARKERS = Duration.ofMillis(50);

  private enum Phase {
    /// No id was given out yet, or it is of no use any more.
    NONE,
    READY,
    IN_TRANSACTION,
    /// The end was asked for and not answered.
    COMMITTING,
    ABORTING
  }

  private final WriterName name;
  private final DirectSettings settings;
  private final Wire wire;
  private final TransactionRequests requests;
  private final ProduceQueue queue;

  /// What is written beside the transactions.
  private final ProduceQueue outside;

  private boolean outsideReady;

  /// Whether records were added a moment ago.
  private boolean added;

  private final WriterIds ids;
  private final NextId nextId;

  private Phase phase = Phase.NONE;
  private @Nullable Transaction current;
  private volatile @Nullable WriterId id;

  /// As whom the last transaction was ended, if it is not known whether all its partitions have
  /// heard of it.
  private @Nullable WriterId endedAs;

  private boolean endedByCommit;
  private long endedNanos;

  private String endFailure = "";

  /// Whether it may pass by itself.
  private Kind endKind = Kind.UNAVAILABLE;

  public DirectProducer(WriterName name, DirectSettings settings, Wire wire, WriterIds ids) {
    this.name = name;
    this.settings = settings;
    this.wire = wire;
    this.ids = ids;
    queue = new ProduceQueue(wire, sending(settings, name.text()));
    outside = new ProduceQueue(wire, sending(settings, null));
    requests =
        new TransactionRequests(
            new Coordinators(wire, this::sendReady, settings.pause()), name.text());
    nextId = new NextId(name, requests, ids);
  }

  private static ProduceQueue.Settings sending(
      DirectSettings settings, @Nullable String transactionalId) {
    return new ProduceQueue.Settings(
        transactionalId,
        settings.compression(),
        settings.batchBytes(),
        settings.requestBytes(),
        settings.requestTimeout(),
        settings.delivery(),
        settings.pause());
  }

  private void sendReady() {
    queue.send();
    outside.send();
  }

  @Override
  public ExecutorService thread() {
    return new PumpedThread("millrace-writer-" + name.text(), this::idle, wire::wakeup);
  }

  /// Sends what was added, while there is nothing else to do.
  private void idle() {
    Transaction transaction = current;
    try {
      if (endedAs != null) {
        wire.poll(SHORTLY); // earlier they are hardly written
        awaitMarkers();
        return; // whoever came meanwhile has woken it already
      }
      if (added) {
        added = false; // more of it may be on its way
        sendReady();
        wire.poll(SHORTLY);
        return;
      }
      queue.finishIdle();
      outside.finishIdle();
      sendReady();
      wire.poll(queue.isEmpty() && outside.isEmpty() ? IDLE : STEP);
      // outermost: the thread must live on, or nobody would hear of anything any more
    } catch (RuntimeException e) {
      if (transaction != null) {
        transaction.failLater("Writing to Kafka failed: " + KafkaFailures.text(e));
      }
      LockSupport.parkNanos(this, STEP.toNanos());
    }
  }

  @Override
  public @Nullable WriterId id() {
    return id;
  }

  @Override
  public void open() {
    current = null;
    queue.drop();
    dropOutside();
    try {
      finishEnd();
      initialize();
    } catch (KafkaException e) {
      throw KafkaFailures.of("Writer '" + name.text() + "' cannot be opened", e);
    }
  }

  /// Ends the transaction that was left open, or whose outcome is not known, with the same epoch,
  /// so that a writer that was fenced is told so and does not fence its successor.
  private void finishEnd() {
    Ended ended =
        switch (phase) {
          case IN_TRANSACTION, ABORTING -> endOnce(false);
          case COMMITTING -> endOnce(true);
          case NONE, READY -> Ended.DONE;
        };
    switch (ended) {
      case DONE, ABORTED -> {}
      case FENCED -> throw new LogException(Kind.FENCED, name.fenced(endFailure));
      case EXPIRED, FAILED -> phase = Phase.NONE;
      case UNANSWERED ->
          throw new LogException(
              endKind,
              "%s It is tried again when writer '%s' is opened."
                  .formatted(Words.sentence(endFailure), name.text()));
    }
  }

  private void initialize() {
    id = nextId.after(id, phase != Phase.NONE, deadline());
    phase = Phase.READY;
  }

  private long deadline() {
    return System.nanoTime() + settings.patience().toNanos();
  }

  @Override
  public void begin(Transaction transaction) {
    if (phase == Phase.NONE) {
      initialize();
    }
    awaitMarkers();
    transaction.begin();
    current = transaction;
    phase = Phase.IN_TRANSACTION;
    queue.begin(requireId());
  }

  /// Waits until all partitions have the marker of the last transaction. The coordinator answers
  /// the end of a transaction before that, and a broker that gets records earlier delays them by 20
  /// ms. Ending the transaction again changes nothing, and is answered when all partitions have the
  /// marker; only timing depends on the answer.
  private void awaitMarkers() {
    WriterId before = endedAs;
    long deadline = endedNanos + MARKERS.toNanos();
    endedAs = null;
    if (before == null || System.nanoTime() - deadline >= 0) {
      return;
    }
    try {
      requests.end(before, endedByCommit, deadline);
    } catch (LogException | KafkaException e) {
      LOG.debug(
          "Writer '{}' continues before the end of its last transaction is written.",
          name.text(),
          e);
    }
  }

  @Override
  public void send(Transaction transaction, Split to, RecordBatch batch, int largestBatchBytes) {
    queue.add(transaction.inside(to), batch, largestBatchBytes);
    bring(transaction);
  }

  /// Sends without waiting, unless too much is already waiting.
  private void bring(Transaction transaction) {
    added = true;
    sendReady();
    wire.poll(Duration.ZERO);
    while (queue.bytes() + outside.bytes() > settings.sendBytes() && !transaction.isInVain()) {
      sendReady();
      wire.poll(STEP);
    }
  }

  @Override
  public void sendOutside(
      Transaction transaction, Split to, RecordBatch batch, int largestBatchBytes) {
    if (!outsideReady) {
      outside.begin(requests.initializeOutside(deadline()));
      outsideReady = true;
    }
    outside.add(transaction.outside(to), batch, largestBatchBytes);
    bring(transaction);
  }

  /// Sends positions before the collected records: a coordinator adds partitions and positions to a
  /// transaction one request at a time, and records that arrive meanwhile are delayed by their
  /// broker for 20 ms.
  @Override
  public void sendPositions(Transaction transaction, String group, Map<Split, Position> positions) {
    Errors error = requests.positions(requireId(), group, positions, deadline());
    if (error != Errors.NONE) {
      throw error.exception();
    }
  }

  private WriterId requireId() {
    WriterId known = id;
    if (known == null) {
      throw new IllegalStateException("Writer '" + name.text() + "' was not opened.");
    }
    return known;
  }

  @Override
  public void flush(Transaction transaction) {
    queue.finishBatches();
    outside.finishBatches();
    while (!(queue.isEmpty() && outside.isEmpty()) && !transaction.isInVain()) {
      sendReady();
      wire.poll(STEP);
    }
  }

  @Override
  public void drop(Transaction transaction) {
    queue.drop();
    dropOutside();
  }

  /// Drops records outside the transaction. It is not known which of them have arrived, so their
  /// sequences must not be continued.
  private void dropOutside() {
    if (!outside.isEmpty()) {
      outsideReady = false;
    }
    outside.drop();
  }

  @Override
  public Ended end(boolean commit) {
    current = null;
    Ended ended = endOnce(commit);
    return commit && ended == Ended.FAILED ? abortRefused() : ended;
  }

  /// Aborts a transaction after a refused commit, which may have taken effect nevertheless. It is
  /// aborted only if the log confirms it, or does not know the commit either.
  private Ended abortRefused() {
    String refused = "The commit failed: " + endFailure;
    Ended aborted = endOnce(false);
    Ended ended =
        switch (aborted) {
          case DONE -> Ended.ABORTED;
          case EXPIRED -> endOnce(true);
          case ABORTED, FENCED, UNANSWERED, FAILED -> aborted;
        };
    endFailure = ended == Ended.ABORTED ? refused : refused + " " + endFailure;
    return ended;
  }

  private Ended endOnce(boolean commit) {
    phase = commit ? Phase.COMMITTING : Phase.ABORTING;
    endKind = Kind.UNAVAILABLE;
    TransactionRequests.End end;
    try {
      end = requests.end(requireId(), commit, deadline());
    } catch (LogException e) {
      endFailure = String.valueOf(e.getMessage());
      return e.kind() == Kind.UNAVAILABLE ? Ended.UNANSWERED : Ended.FAILED;
    } catch (KafkaException e) {
      endFailure = KafkaFailures.text(e);
      endKind = KafkaFailures.of(endFailure, e).kind();
      return Ended.UNANSWERED;
    }
    if (end.error() == Errors.NONE) {
      endedAs = requireId();
      endedByCommit = commit;
      endedNanos = System.nanoTime();
      WriterId next = end.next();
      if (next.producerId() < 0 || next.epoch() < 0) {
        phase = Phase.NONE; // it is asked for when it is needed
      } else {
        id = next;
        phase = Phase.READY;
      }
      return Ended.DONE;
    }
    endFailure = KafkaFailures.text(end.error().exception());
    return switch (end.error()) {
      case PRODUCER_FENCED, INVALID_PRODUCER_EPOCH -> lost(ids.whyBarred(requireId()));
      case INVALID_TXN_STATE, INVALID_PRODUCER_ID_MAPPING -> lost(Ended.EXPIRED);
      default -> Ended.FAILED;
    };
  }

  private Ended lost(Ended how) {
    if (how == Ended.EXPIRED) {
      phase = Phase.NONE;
    }
    return how;
  }

  @Override
  public String endFailure() {
    return endFailure;
  }

  @Override
  public void close() {
    if (phase == Phase.IN_TRANSACTION) {
      queue.drop();
      Ended ended = endOnce(false);
      if (ended != Ended.DONE) {
        LOG.debug(
            "The transaction of writer '{}' is left to its successor: {}", name.text(), endFailure);
      }
    }
    phase = Phase.NONE;
    wire.close();
  }

  @Override
  public void kill() {
    wire.stop();
  }
}

package dev.millrace.kafka;

import dev.millrace.kafka.wire.Wire;
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
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Transactions of version 2, by requests of our own: whole batches, and a new epoch at each end,
/// which the coordinator's answer tells.
///
/// What the answer to an end of a transaction was is asked for again with the same epoch: the
/// coordinator repeats its answer, or says that it was the other way round.
final class DirectProducer implements TransactionDriver {
  private static final Logger LOG = LoggerFactory.getLogger(DirectProducer.class);
  private static final Duration STEP = Duration.ofMillis(20);

  /// How long nothing is waited for while there is nothing to do; brokers close what is idle.
  private static final Duration IDLE = Duration.ofSeconds(1);

  private enum Phase {
    /// No id was given out yet, or it is of no use any more.
    NONE,
    READY,
    IN_TRANSACTION,
    /// The end was asked for and not answered.
    COMMITTING,
    ABORTING
  }

  private enum Ended {
    DONE,
    FENCED,
    /// The log had ended it the other way, or knows nothing of it.
    OTHERWISE,
    UNANSWERED,
    FAILED
  }

  private final String name;
  private final Duration timeout;
  private final DirectSettings settings;
  private final Wire wire;
  private final TransactionRequests requests;
  private final ProduceQueue queue;

  /// What is written beside the transactions.
  private final ProduceQueue outside;

  private boolean outsideReady;
  private final WritableTopics topics;
  private final WriterIds ids;

  private Phase phase = Phase.NONE;
  private @Nullable Transaction current;
  private volatile @Nullable WriterId id;

  /// The id from which a new one was asked for without an answer.
  private @Nullable WriterId renewedFrom;

  private String endFailure = "";

  /// Whether it may pass by itself.
  private Kind endKind = Kind.UNAVAILABLE;

  DirectProducer(
      String name,
      Duration timeout,
      DirectSettings settings,
      Wire wire,
      WriterIds ids,
      WritableTopics topics) {
    this.name = name;
    this.timeout = timeout;
    this.settings = settings;
    this.wire = wire;
    this.ids = ids;
    this.topics = topics;
    queue = new ProduceQueue(wire, sending(settings, name));
    outside = new ProduceQueue(wire, sending(settings, null));
    requests =
        new TransactionRequests(new Coordinators(wire, this::sendReady, settings.pause()), name);
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
    return new PumpedThread("millrace-writer-" + name, this::idle, wire::wakeup);
  }

  /// Brings what was added on its way, while nothing else is to be done.
  private void idle() {
    Transaction transaction = current;
    try {
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
      throw KafkaFailures.of("Writer '" + name + "' cannot be opened", e);
    }
  }

  /// Ends the transaction that was left open, or whose outcome is not known, with the same epoch:
  /// so that a writer that was fenced hears of it and does not bar its successor.
  private void finishEnd() {
    Ended ended =
        switch (phase) {
          case IN_TRANSACTION, ABORTING -> end(false);
          case COMMITTING -> end(true);
          case NONE, READY -> Ended.DONE;
        };
    switch (ended) {
      case DONE -> {}
      case FENCED -> throw new LogException(Kind.FENCED, fenced());
      case OTHERWISE, FAILED -> phase = Phase.NONE;
      case UNANSWERED ->
          throw new LogException(
              endKind,
              "%s It is tried again when writer '%s' is opened.".formatted(endFailure, name));
    }
  }

  private void initialize() {
    WriterId known = id;
    if (known == null) {
      id = requests.initialize(null, timeout, deadline());
    } else if (phase == Phase.NONE) {
      id = renew(known);
    } else {
      id = ids.requireStillOurs(known);
    }
    phase = Phase.READY;
  }

  /// Whether it was done is not known if its answer is lost. So it is asked for again from the same
  /// id, which the coordinator remembers until another writer takes over.
  private WriterId renew(WriterId known) {
    WriterId from = renewedFrom;
    if (from == null) {
      from = ids.requireNobodyTookOver(known);
      renewedFrom = from;
    }
    WriterId next;
    try {
      next = requests.initialize(from, timeout, deadline());
    } catch (LogException e) {
      if (e.kind() != Kind.FENCED) {
        throw e;
      }
      // The coordinator may have ended, and counted, what was open.
      renewedFrom = ids.requireNobodyTookOver(from);
      next = requests.initialize(renewedFrom, timeout, deadline());
    }
    renewedFrom = null;
    return next;
  }

  private long deadline() {
    return System.nanoTime() + settings.patience().toNanos();
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
            queue.add(transaction.inside(to), batch, largest);
            bring(transaction);
          });
    } finally {
      batch.release();
    }
  }

  /// Sends without waiting, unless too much waits already.
  private void bring(Transaction transaction) {
    sendReady();
    wire.poll(Duration.ZERO);
    while (queue.bytes() + outside.bytes() > settings.sendBytes() && !transaction.isInVain()) {
      sendReady();
      wire.poll(STEP);
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
            if (!outsideReady) {
              outside.begin(requests.initializeOutside(deadline()));
              outsideReady = true;
            }
            transaction.useOutside();
            outside.add(transaction.outside(to), batch, largest);
            bring(transaction);
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
          queue.finishBatches();
          queue.send();
          Errors error = requests.positions(requireId(), group, positions, deadline());
          if (error != Errors.NONE) {
            transaction.fail(what + ": " + KafkaFailures.text(error.exception()));
          }
        });
  }

  private WriterId requireId() {
    WriterId known = id;
    if (known == null) {
      throw new IllegalStateException("Writer '" + name + "' was not opened.");
    }
    return known;
  }

  private void begin(Transaction transaction) {
    if (!transaction.begun()) {
      if (phase == Phase.NONE) {
        initialize();
      }
      transaction.begin();
      current = transaction;
      phase = Phase.IN_TRANSACTION;
      queue.begin(requireId());
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
    } catch (KafkaException | IllegalArgumentException e) {
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
    if (transaction.hasFailed()) {
      abort(transaction);
      return;
    }
    attempt(transaction, "Sending failed", () -> flush(transaction));
    if (transaction.isDecided()) {
      return;
    }
    if (transaction.begun()) {
      decide(transaction, end(true));
    } else {
      transaction.decide(Outcome.COMMITTED);
    }
  }

  private void flush(Transaction transaction) {
    queue.finishBatches();
    outside.finishBatches();
    while (!(queue.isEmpty() && outside.isEmpty()) && !transaction.isInVain()) {
      sendReady();
      wire.poll(STEP);
    }
  }

  private void decide(Transaction transaction, Ended ended) {
    current = null;
    switch (ended) {
      case DONE -> transaction.decide(Outcome.COMMITTED);
      case FENCED -> transaction.decide(Outcome.FENCED, fenced());
      case OTHERWISE -> expired(transaction, "");
      case UNANSWERED -> transaction.decide(Outcome.UNKNOWN, endFailure);
      case FAILED -> {
        transaction.fail("The commit failed: " + endFailure);
        decideFailed(transaction);
      }
    }
  }

  /// The log refused a commit, but may have done it nevertheless. It is aborted only if the log
  /// says so, or does not know the commit either.
  private void decideFailed(Transaction transaction) {
    Ended ended = end(false);
    if (ended == Ended.OTHERWISE) {
      switch (end(true)) {
        case DONE -> transaction.decide(Outcome.COMMITTED);
        case OTHERWISE -> expired(transaction, transaction.failure() + " ");
        case FENCED -> transaction.decide(Outcome.FENCED, fenced());
        case UNANSWERED, FAILED ->
            transaction.decide(Outcome.UNKNOWN, transaction.failure() + " " + endFailure);
      }
    } else {
      aborted(transaction, ended);
    }
  }

  /// @param before what had failed before, or nothing
  private void expired(Transaction transaction, String before) {
    String why =
        before
            + "The log knows nothing of the transaction of writer '%s' (%s). It ends those that take longer than %s."
                .formatted(name, endFailure, timeout);
    phase = Phase.NONE;
    try {
      open();
      transaction.decide(Outcome.ABORTED, why);
    } catch (LogException e) {
      transaction.decide(
          e.kind() == Kind.FENCED ? Outcome.FENCED : Outcome.UNKNOWN, why + " " + e.getMessage());
    }
  }

  @Override
  public void abort(Transaction transaction) {
    if (transaction.isDecided()) {
      return;
    }
    current = null;
    topics.forget();
    queue.drop();
    dropOutside();
    if (!transaction.begun()) {
      transaction.decide(Outcome.ABORTED);
      return;
    }
    aborted(transaction, end(false));
  }

  private void aborted(Transaction transaction, Ended ended) {
    switch (ended) {
      case DONE -> transaction.decide(Outcome.ABORTED);
      case FENCED -> transaction.decide(Outcome.FENCED, fenced());
      case OTHERWISE -> expired(transaction, transaction.failure() + " ");
      case UNANSWERED, FAILED ->
          transaction.decide(Outcome.UNKNOWN, transaction.failure() + " " + endFailure);
    }
  }

  /// What of it has arrived is not known, so nobody may go on with its sequences.
  private void dropOutside() {
    if (!outside.isEmpty()) {
      outsideReady = false;
    }
    outside.drop();
  }

  /// Ends the transaction; the id is that of the next one afterwards.
  private Ended end(boolean commit) {
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
      case PRODUCER_FENCED, INVALID_PRODUCER_EPOCH -> barred();
      case INVALID_TXN_STATE, INVALID_PRODUCER_ID_MAPPING -> Ended.OTHERWISE;
      default -> Ended.FAILED;
    };
  }

  /// Kafka gives the same answer to a writer that was replaced and, at times, to one whose
  /// transaction the log ended because it took too long. The coordinator knows which it is.
  private Ended barred() {
    try {
      ids.requireNobodyTookOver(requireId());
      return Ended.OTHERWISE;
    } catch (LogException e) {
      return e.kind() == Kind.FENCED ? Ended.FENCED : Ended.UNANSWERED;
    }
  }

  private String fenced() {
    return ("Writer '%s' was fenced: another writer with this id took over, or its transaction took"
            + " longer than %s. Kafka says: %s")
        .formatted(name, timeout, endFailure);
  }

  @Override
  public void close() {
    if (phase == Phase.IN_TRANSACTION) {
      queue.drop();
      Ended ended = end(false);
      if (ended != Ended.DONE) {
        LOG.debug("The transaction of writer '{}' is left to its successor: {}", name, endFailure);
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

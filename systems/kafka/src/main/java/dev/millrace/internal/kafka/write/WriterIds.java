package dev.millrace.internal.kafka.write;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tracks the producer id and epoch of a transactional id, which the official producer does not
/// expose: it asks the coordinator once, and counts from then on. With transactions of version 2
/// the epoch is incremented at every end of a transaction. Thread-safe.
public final class WriterIds {
  private static final Logger LOG = LoggerFactory.getLogger(WriterIds.class);

  /// Close to the last epoch the coordinator gives out a new producer id; exactly when is its
  /// affair.
  private static final int NEARLY_LAST_EPOCH = Short.MAX_VALUE - 8;

  private static final Set<TransactionState> ENDED =
      Set.of(
          TransactionState.PREPARE_EPOCH_FENCE,
          TransactionState.PREPARE_COMMIT,
          TransactionState.PREPARE_ABORT,
          TransactionState.COMPLETE_COMMIT,
          TransactionState.COMPLETE_ABORT);

  private final Function<String, TransactionDescription> coordinator;
  private final boolean everyEndCounts;

  /// @param coordinator says what it knows of a transactional id
  /// @param everyEndCounts whether the cluster has transactions of version 2
  public WriterIds(Function<String, TransactionDescription> coordinator, boolean everyEndCounts) {
    this.coordinator = coordinator;
    this.everyEndCounts = everyEndCounts;
  }

  WriterId find(String transactionalId) {
    TransactionDescription found = coordinator.apply(transactionalId);
    return new WriterId(transactionalId, found.producerId(), found.producerEpoch());
  }

  WriterId afterCommit(WriterId before) {
    if (!everyEndCounts) {
      return before;
    }
    WriterId counted = next(before);
    return counted.epoch() < NEARLY_LAST_EPOCH ? counted : ask(before, counted);
  }

  /// Returns the id after an abort, which may have ended a transaction at the coordinator, or one
  /// that the coordinator does not know.
  WriterId afterAbort(WriterId before) {
    return everyEndCounts ? ask(before, before) : before;
  }

  private WriterId ask(WriterId before, WriterId otherwise) {
    try {
      WriterId found = find(before.transactionalId());
      boolean newId = found.producerId() != before.producerId();
      boolean possible =
          newId ? before.epoch() >= NEARLY_LAST_EPOCH : found.epoch() - before.epoch() <= 1;
      return possible ? found : otherwise;
    } catch (LogException e) {
      LOG.warn(
          "The epoch of writer '{}' is not known exactly: {}",
          before.transactionalId(),
          e.getMessage());
      return otherwise;
    }
  }

  private static WriterId next(WriterId id) {
    return new WriterId(id.transactionalId(), id.producerId(), id.epoch() + 1);
  }

  /// Returns the id of a writer that is ready.
  ///
  /// @throws LogException of kind `FENCED` if it belongs to another one now
  WriterId requireStillOurs(WriterId known) {
    TransactionDescription found = coordinator.apply(known.transactionalId());
    boolean same = found.producerId() == known.producerId();
    if (same && found.producerEpoch() == known.epoch()) {
      return known;
    }
    if (same && found.producerEpoch() == known.epoch() + 1 && ENDED.contains(found.state())) {
      return next(known);
    }
    throw taken(known, found);
  }

  /// Checks that no other writer has taken over, before a new producer would fence it. The
  /// transaction of the old producer may have been ended meanwhile, by its own request or at its
  /// timeout.
  ///
  /// @return the id by which the coordinator knows it now
  /// @throws LogException of kind `FENCED` if another one has
  WriterId requireNobodyTookOver(WriterId known) {
    TransactionDescription found = coordinator.apply(known.transactionalId());
    boolean same = found.producerId() == known.producerId();
    int ahead = found.producerEpoch() - known.epoch();
    boolean ours = same && (ahead <= 0 || (ahead == 1 && ENDED.contains(found.state())));
    boolean renewed = !same && known.epoch() >= NEARLY_LAST_EPOCH && ENDED.contains(found.state());
    if (!ours && !renewed) {
      throw taken(known, found);
    }
    return new WriterId(known.transactionalId(), found.producerId(), found.producerEpoch());
  }

  /// Returns why a writer was fenced. Kafka gives the same answer to a writer that was replaced
  /// and, sometimes, to one whose transaction the log aborted at its timeout; the coordinator can
  /// tell the difference.
  TransactionDriver.Ended whyBarred(WriterId known) {
    try {
      requireNobodyTookOver(known);
      return TransactionDriver.Ended.EXPIRED;
    } catch (LogException e) {
      return e.kind() == Kind.FENCED
          ? TransactionDriver.Ended.FENCED
          : TransactionDriver.Ended.UNANSWERED;
    }
  }

  private static LogException taken(WriterId known, TransactionDescription found) {
    return new LogException(
        Kind.FENCED,
        ("Writer '%s' was fenced: it had producer id %d and epoch %d, and the coordinator knows %d"
                + " and %d. Another writer with this id has taken over.")
            .formatted(
                known.transactionalId(),
                known.producerId(),
                known.epoch(),
                found.producerId(),
                found.producerEpoch()));
  }
}

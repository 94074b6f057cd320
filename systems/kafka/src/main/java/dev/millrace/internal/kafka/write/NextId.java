package dev.millrace.internal.kafka.write;

import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.TransactionalWriter.WriterId;
import org.jspecify.annotations.Nullable;

/// Asks for the id, with its epoch, as which a [DirectProducer] begins, or goes on after it is not
/// known how its last transaction ended.
final class NextId {
  private final WriterName name;
  private final TransactionRequests requests;
  private final WriterIds ids;

  /// The id from which a new one was asked for without an answer.
  private @Nullable WriterId renewedFrom;

  NextId(WriterName name, TransactionRequests requests, WriterIds ids) {
    this.name = name;
    this.requests = requests;
    this.ids = ids;
  }

  /// Returns the next id.
  ///
  /// @param known the last one; null if there was none
  /// @param usable whether transactions can go on with it, if it is still ours
  /// @param deadlineNanos as of [System#nanoTime]
  WriterId after(@Nullable WriterId known, boolean usable, long deadlineNanos) {
    if (known == null) {
      return requests.initialize(null, name.timeout(), deadlineNanos);
    }
    return usable ? ids.requireStillOurs(known) : renew(known, deadlineNanos);
  }

  /// Whether it was done is not known if its answer is lost. So it is asked for again from the same
  /// id, which the coordinator remembers until another writer takes over.
  private WriterId renew(WriterId known, long deadlineNanos) {
    WriterId from = renewedFrom;
    if (from == null) {
      from = ids.requireNobodyTookOver(known);
      renewedFrom = from;
    }
    WriterId next;
    try {
      next = requests.initialize(from, name.timeout(), deadlineNanos);
    } catch (LogException e) {
      if (e.kind() != Kind.FENCED) {
        throw e;
      }
      // The coordinator may have ended, and counted, what was open.
      renewedFrom = ids.requireNobodyTookOver(from);
      next = requests.initialize(renewedFrom, name.timeout(), deadlineNanos);
    }
    renewedFrom = null;
    return next;
  }
}

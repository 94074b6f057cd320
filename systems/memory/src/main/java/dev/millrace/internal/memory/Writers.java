package dev.millrace.internal.memory;

import dev.millrace.spi.Clock;
import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Who may write under which transactional id, and what they have open; the positions that their
/// transactions set. Guarded by the lock of the store.
final class Writers {
  private final Clock clock;
  private final SortedMap<String, WriterIdentity> identities = new TreeMap<>();
  private final Map<String, SortedMap<Split, Long>> positions = new TreeMap<>();
  private long producers;

  Writers(Clock clock) {
    this.clock = clock;
  }

  /// Gives an id to a new writer: bars all others, and aborts what is open.
  ///
  /// @param before who the writer was so far; null if it was nobody
  /// @return null if another one came in between
  @Nullable WriterId open(String transactionalId, @Nullable WriterId before) {
    WriterIdentity identity =
        identities.computeIfAbsent(transactionalId, id -> new WriterIdentity(id, producers++));
    if (before != null && !identity.isOf(before)) {
      return null;
    }
    abort(identity);
    identity.bar();
    return identity.writer();
  }

  /// Bars whoever writes under an id, and aborts what is open.
  void fence(String transactionalId) {
    WriterIdentity identity = identities.get(transactionalId);
    if (identity != null) {
      abort(identity);
      identity.bar();
    }
  }

  /// Returns the open transaction of a writer; it begins if there is none.
  ///
  /// @return null if the writer is barred
  @Nullable Transaction transaction(WriterId writer, Duration timeout) {
    WriterIdentity identity = identities.get(writer.transactionalId());
    if (identity == null || !identity.isOf(writer)) {
      return null;
    }
    Transaction open = identity.open();
    if (open == null) {
      open = new Transaction(identity, clock.nanos() + timeout.toNanos());
      identity.open(open);
    }
    return open;
  }

  /// Returns the open transaction of a writer; null if it has none, or is barred.
  @Nullable Transaction opened(WriterId writer) {
    WriterIdentity identity = identities.get(writer.transactionalId());
    return identity != null && identity.isOf(writer) ? identity.open() : null;
  }

  /// Returns whether a writer is not barred.
  boolean mayWrite(WriterId writer) {
    WriterIdentity identity = identities.get(writer.transactionalId());
    return identity != null && identity.isOf(writer);
  }

  /// Decides a transaction that is open.
  void end(Transaction transaction, boolean commit) {
    transaction.writer().open(null);
    transaction.end(commit);
    if (commit) {
      transaction
          .positions()
          .forEach((group, offsets) ->
              positions.computeIfAbsent(group, _ -> new TreeMap<>()).putAll(offsets));
    }
  }

  private void abort(WriterIdentity identity) {
    Transaction open = identity.open();
    if (open != null) {
      end(open, false);
    }
  }

  /// Aborts the transactions that have taken too long, and bars their writers.
  void expire() {
    long now = clock.nanos();
    for (WriterIdentity identity : identities.values()) {
      Transaction open = identity.open();
      if (open != null && open.isOverdue(now)) {
        end(open, false);
        identity.bar();
      }
    }
  }

  /// Returns the ids that start with a prefix.
  List<String> ids(String prefix) {
    List<String> ids = new ArrayList<>();
    for (String id : identities.tailMap(prefix).keySet()) {
      if (!id.startsWith(prefix)) {
        break;
      }
      ids.add(id);
    }
    return ids;
  }

  /// Returns a copy of the positions of a group.
  Map<Split, Long> positions(String group) {
    return new TreeMap<>(positions.getOrDefault(group, new TreeMap<>()));
  }
}

package dev.millrace.testkit.log;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What stands at one offset of a partition: a record, or the marker that ends a transaction.
final class Entry {
  final long offset;
  final int leaderEpoch;

  /// The transaction it belongs to, or null if it was written outside any.
  final @Nullable PartitionTransaction transaction;

  /// Null in a marker.
  final @Nullable Payload payload;

  /// When the log took it; milliseconds since 1970 (UTC).
  final long appendedMillis;

  /// When the cleaner may remove this tombstone or marker, -1 until it has seen it once.
  long removableMillis = -1;

  Entry(
      long offset,
      int leaderEpoch,
      @Nullable PartitionTransaction transaction,
      @Nullable Payload payload,
      long appendedMillis) {
    this.offset = offset;
    this.leaderEpoch = leaderEpoch;
    this.transaction = transaction;
    this.payload = payload;
    this.appendedMillis = appendedMillis;
  }

  /// What the sender gave of this record, which is no marker.
  Payload record() {
    return Objects.requireNonNull(payload);
  }

  boolean isMarker() {
    return payload == null;
  }

  /// Whether a read-committed reader gets it, once its offset is below the last stable one.
  boolean isCommitted() {
    return payload != null
        && (transaction == null || transaction.state == PartitionTransaction.State.COMMITTED);
  }
}

package dev.millrace.testkit.log;

/// The part of a transaction in one partition.
final class PartitionTransaction {
  /// What the partition knows of its end.
  enum State {
    OPEN,
    COMMITTED,
    ABORTED
  }

  final long producerId;
  final int epoch;
  final String transactionalId;
  final long firstOffset;
  State state = State.OPEN;

  /// Where its end stands in the partition, or -1.
  long markerOffset = -1;

  /// Used by the cleaner: whether a record of it is left.
  boolean hasRecords;

  PartitionTransaction(long producerId, int epoch, String transactionalId, long firstOffset) {
    this.producerId = producerId;
    this.epoch = epoch;
    this.transactionalId = transactionalId;
    this.firstOffset = firstOffset;
  }
}

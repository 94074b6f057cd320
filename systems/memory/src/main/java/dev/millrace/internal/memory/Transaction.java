package dev.millrace.internal.memory;

import dev.millrace.spi.Split;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// A transaction that is not decided: where it has written, and the positions that it sets. Guarded
/// by the lock of the store.
final class Transaction {
  private final WriterIdentity writer;
  private final long deadlineNanos;

  /// The offset after the last record in each partition.
  private final Map<Partition, Long> ends = new LinkedHashMap<>();

  private final Map<String, Map<Split, Long>> positions = new TreeMap<>();

  /// @param deadlineNanos when it is aborted unless it was ended
  Transaction(WriterIdentity writer, long deadlineNanos) {
    this.writer = writer;
    this.deadlineNanos = deadlineNanos;
  }

  WriterIdentity writer() {
    return writer;
  }

  boolean isOverdue(long nanos) {
    return nanos - deadlineNanos >= 0;
  }

  void append(Partition partition, Block block, long nowMillis) {
    ends.put(partition, partition.append(block, nowMillis, this));
  }

  void position(String group, Map<Split, Long> offsets) {
    positions.computeIfAbsent(group, _ -> new TreeMap<>()).putAll(offsets);
  }

  /// Returns the positions that it sets, by group.
  Map<String, Map<Split, Long>> positions() {
    return positions;
  }

  /// Decides the transaction in every partition.
  void end(boolean commit) {
    ends.keySet().forEach(partition -> partition.end(this, commit));
  }

  /// Returns the offset after its last record in each partition where it has written.
  Map<Partition, Long> ends() {
    return ends;
  }
}

package dev.millrace.internal.engine.input;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;

/// Whether the records of a split that is said to be partitioned by its keys lie where their keys
/// belong. If one lies elsewhere, records of its key reach several tasks, and each keeps a part of
/// the state: so every record is looked at, before any of its batch is processed. Of a topic that
/// is given more partitions while a job runs, a producer may use them before anybody else knows.
final class PartitionCheck {
  private final Split split;
  private final int partitions;

  /// Where the keys of the split lay when the job was planned.
  private final int belongs;

  private final Bytes view = new Bytes();

  /// Whether the batch at the head was looked through.
  private boolean looked;

  /// @param partitions how many the job was planned for
  PartitionCheck(Split split, int partitions) {
    this.split = split;
    this.partitions = partitions;
    belongs = split.partition() % partitions;
  }

  /// Looks through the batch at the head of an input, unless that was done.
  ///
  /// @param end the offset behind the last record to be read, or -1
  /// @throws MovedKeyException if a record lies elsewhere
  void require(RecordBatch head, long end) {
    if (looked) {
      return;
    }
    for (int i = 0, size = head.size(); i < size; i++) {
      if (head.hasKey(i) && (end < 0 || head.offset(i) < end)) {
        int partition = Partitioner.partition(head.key(i, view), partitions);
        if (partition != belongs) {
          throw new MovedKeyException(split, head.offset(i), partition, partitions);
        }
      }
    }
    looked = true;
  }

  /// Another batch is at the head.
  void next() {
    looked = false;
  }
}

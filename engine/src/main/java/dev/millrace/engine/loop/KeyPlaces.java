package dev.millrace.engine.loop;

import dev.millrace.api.serde.Bytes;
import dev.millrace.engine.chain.Partitioner;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;

/// Where the records of a stream lie that is said to be partitioned by its keys.
final class KeyPlaces {
  private KeyPlaces() {}

  /// Looks at the first record of a batch: if it lies elsewhere, records of one key reach several
  /// tasks, and each keeps a part of the state.
  static void require(RecordBatch batch, Split split, int partitions) {
    int partition = Partitioner.partition(batch.key(0, new Bytes()), partitions);
    if (partition != split.partition()) {
      throw new IllegalStateException(
          "The record at %s:%d:%d has a key that belongs into partition %d of %d, by the partitioner of Kafka's own producer."
                  .formatted(
                      split.stream(), split.partition(), batch.offset(0), partition, partitions)
              + " So the topic is not partitioned by its key, or got partitions later. Describe it"
              + " without .key(...) and use groupBy(name, key).");
    }
  }
}

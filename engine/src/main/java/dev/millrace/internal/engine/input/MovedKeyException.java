package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.sources.InputPartitions;
import dev.millrace.spi.Split;

/// A record of a topic that is partitioned by its keys lies in another partition than its key says.
/// Nothing of its batch was processed.
public final class MovedKeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Split split;
  private final int planned;

  /// @param belongs the partition that the key says
  /// @param planned how many partitions the job was planned for
  MovedKeyException(Split split, long offset, int belongs, int planned) {
    super(
        "The key of the record at %s:%d:%d belongs to partition %d of %d, by the partitioner of Kafka's own producer."
            .formatted(split.stream(), split.partition(), offset, belongs, planned));
    this.split = split;
    this.planned = planned;
  }

  public String topic() {
    return split.stream();
  }

  /// For a person.
  ///
  /// @param now how many partitions the topic has now; 0 if that is not known
  public String message(String application, int now) {
    if (now > planned && now % planned != 0) {
      return "%s %s Nothing of its batch was processed. %s"
          .formatted(
              getMessage(),
              InputPartitions.counts(topic(), planned, now, application),
              InputPartitions.wayOut(application));
    }
    return "%s So the topic is not partitioned by its key, or the record was written while it had fewer partitions. Nothing of its batch was processed. Describe the topic without .key(...) and use groupBy(name, key)."
        .formatted(getMessage());
  }
}

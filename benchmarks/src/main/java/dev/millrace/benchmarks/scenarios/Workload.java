package dev.millrace.benchmarks.scenarios;

import java.util.function.LongUnaryOperator;

/// What the records of a topic are.
///
/// @param keys that may occur
/// @param records without those that ask
/// @param recordBytes of key and value together
/// @param compression of the topic's batches: `none`, `lz4`
public record Workload(
    long keys, Distribution distribution, long records, int recordBytes, String compression) {

  public Workload {
    int least = Event.KEY_BYTES + Event.HEAD_BYTES;
    if (recordBytes < least) {
      throw new IllegalArgumentException(
          "A record of %d bytes is not possible: it needs at least %d."
              .formatted(recordBytes, least));
    }
    if (keys < 1 || keys > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%d keys are not possible: give 1 to %d.".formatted(keys, Integer.MAX_VALUE));
    }
    if (records < 1) {
      throw new IllegalArgumentException("There must be at least one record.");
    }
  }

  /// The topic it is in.
  String topic() {
    return "events-%d-%s-%d-%s-%d"
        .formatted(keys, distribution.id(), recordBytes, compression, records);
  }

  /// The same with another number of records.
  Workload withRecords(long newRecords) {
    return new Workload(keys, distribution, newRecords, recordBytes, compression);
  }

  LongUnaryOperator keyOf() {
    return distribution.keyOf(keys);
  }

  /// How often each key occurs: what an engine must count, found without one.
  int[] counts() {
    int[] counts = new int[(int) keys];
    LongUnaryOperator keyOf = keyOf();
    for (long number = 0; number < records; number++) {
      counts[(int) keyOf.applyAsLong(number)]++;
    }
    return counts;
  }
}

package dev.millrace.benchmarks.scenarios;

import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// The same records in the same partitions and order.
final class ExpectedCopy implements Check.Expected {
  private final Fingerprint input;
  private final Fingerprint output;
  private final long[] last;

  ExpectedCopy(Fingerprint input, int partitions) {
    this.input = input;
    output = new Fingerprint(partitions);
    last = new long[partitions];
    Arrays.fill(last, -1);
  }

  @Override
  public long records() {
    return input.records();
  }

  @Override
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    int partition = record.partition();
    long number = Event.number(record.value(), 0);
    if (number <= last[partition]) {
      throw new IllegalStateException(
          "In partition %d of the output, record %,d is after record %,d"
              .formatted(partition, number, last[partition]));
    }
    last[partition] = number;
    output.add(partition, record.key(), record.value());
  }

  @Override
  public void finish() {
    if (!output.same(input)) {
      throw new IllegalStateException(
          "Output and input differ: %s, and %s".formatted(output, input));
    }
  }
}

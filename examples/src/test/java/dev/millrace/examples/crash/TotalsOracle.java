package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Says what [Totals] must write for the values it is given. The n-th value of a key follows from
/// both, so it is enough to count them; and each total shows what was kept of the ones before.
final class TotalsOracle {
  private final int[] given;
  private final int[] found;
  private final long[] totals;

  TotalsOracle(int keys) {
    given = new int[keys];
    found = new int[keys];
    totals = new long[keys];
  }

  /// The next value that a key is given.
  long give(int key) {
    return value(key, ++given[key]);
  }

  private static long value(long key, long number) {
    return (key * 0x9E3779B97F4A7C15L ^ number * 0xC2B2AE3D27D4EB4FL) >>> 8;
  }

  /// Every total that is to be emitted was, in its order, and nothing else.
  ///
  /// @return how many
  long requireEmitted(String bootstrap, int partitions) {
    long count = 0;
    List<TopicPartition> all =
        IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(Totals.OUT, partition))
            .toList();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "isolation.level",
                "read_committed",
                "max.poll.records",
                50_000),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (all.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          emitted(record);
          count++;
        }
      }
    }
    for (int key = 0; key < given.length; key++) {
      assertEquals(given[key], found[key], "totals of key " + key);
    }
    return count;
  }

  private void emitted(ConsumerRecord<byte[], byte[]> record) {
    int key = Math.toIntExact(ByteBuffer.wrap(record.key()).getLong());
    long value = value(key, ++found[key]);
    totals[key] = found[key] == 1 ? value : Totals.next(totals[key], value);
    long total = ByteBuffer.wrap(record.value()).getLong();
    if (total != totals[key]) {
      throw new AssertionError(
          "The %d. total of key %d is %d, not %d, in %s-%d at offset %d."
              .formatted(
                  found[key],
                  key,
                  totals[key],
                  total,
                  record.topic(),
                  record.partition(),
                  record.offset()));
    }
  }
}

package dev.millrace.benchmarks.scenarios;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Reads what an engine has committed, and compares it with what it must be.
public final class Check implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  /// After which an engine that writes nothing more has failed: more than two checkpoints.
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final Expected expected;
  private long seen;

  /// What must come out.
  public interface Expected {
    /// How many records.
    long records();

    /// Takes a record in, in the order of its partition.
    ///
    /// @throws IllegalStateException if it must not be there
    void accept(ConsumerRecord<byte[], byte[]> record);

    /// To be called when all were taken in.
    ///
    /// @throws IllegalStateException if they are not what they must be
    void finish();
  }

  public Check(String bootstrap, String topic, int partitions, Expected expected) {
    this.expected = expected;
    this.partitions =
        IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(topic, i)).toList();
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", bootstrap,
                "isolation.level", "read_committed",
                "max.poll.records", "10000",
                "fetch.max.wait.ms", "50"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(this.partitions);
    consumer.seekToBeginning(this.partitions);
  }

  /// Waits until as many records as expected are committed.
  ///
  /// @param alive is called again and again, and throws if the engine has ended
  public void awaitAll(Runnable alive, LongConsumer progress) throws TimeoutException {
    long since = System.nanoTime();
    while (seen < expected.records()) {
      if (read() > 0) {
        since = System.nanoTime();
      } else if (System.nanoTime() - since > PATIENCE.toNanos()) {
        throw new TimeoutException(
            "%,d of %,d records of the output are committed, without progress for %d s"
                .formatted(seen, expected.records(), PATIENCE.toSeconds()));
      }
      alive.run();
      progress.accept(seen);
    }
  }

  /// Reads to the end of the topic, when the engine has ended.
  ///
  /// @throws IllegalStateException if something is missing, twice or wrong
  public void finish() {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (ends.entrySet().stream()
        .anyMatch(each -> consumer.position(each.getKey()) < each.getValue())) {
      read();
    }
    if (seen != expected.records()) {
      throw new IllegalStateException(
          "The output has %,d records, but should have %,d".formatted(seen, expected.records()));
    }
    expected.finish();
  }

  private int read() {
    int records = 0;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      expected.accept(record);
      records++;
    }
    seen += records;
    return records;
  }

  @Override
  public void close() {
    consumer.close();
  }
}

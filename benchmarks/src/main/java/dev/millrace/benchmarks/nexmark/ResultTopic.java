package dev.millrace.benchmarks.nexmark;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.benchmarks.nexmark.app.TopicResults;
import dev.millrace.benchmarks.nexmark.model.Tally;
import dev.millrace.benchmarks.nexmark.peer.WrittenResult;
import dev.millrace.benchmarks.nexmark.query.Query;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Adds up what an engine has committed to a topic.
final class ResultTopic {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final String RETRACTION = "millrace.retraction";

  private ResultTopic() {}

  /// Reads the topic to its end, when the engine has ended.
  static Tally tally(
      String bootstrap, String topic, int partitions, NexmarkEngine engine, Query<?> query) {
    Tally tally = new Tally();
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(topic, i)).toList();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", bootstrap,
                "isolation.level", "read_committed",
                "max.poll.records", "10000",
                "fetch.max.wait.ms", "50"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (ends.entrySet().stream()
          .anyMatch(each -> consumer.position(each.getKey()) < each.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          add(engine, query, record, tally);
        }
      }
    }
    return tally;
  }

  private static <R> void add(
      NexmarkEngine engine, Query<R> query, ConsumerRecord<byte[], byte[]> record, Tally tally) {
    byte[] value = record.value();
    if (value == null) {
      throw new IllegalStateException("A result without a value was written: " + record);
    }
    switch (engine) {
      case MILLRACE -> {
        Serde<R> serde = TopicResults.serde(query);
        tally.add(
            query.fingerprint(serde.read(Bytes.of(value))),
            record.headers().lastHeader(RETRACTION) != null);
      }
      case FLINK -> tally.add(WrittenResult.fingerprint(value), WrittenResult.isRetraction(value));
    }
  }
}

package dev.millrace.kafka.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// Creates, writes and reads topics of the [SharedEmbeddedKafka] in tests, with ordinary clients.
/// Keys and values are texts; only partition 0 is written and read. Failures are `AssertionError`s.
/// Thread-safe.
public final class SharedTopics {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private SharedTopics() {}

  /// Creates a topic with the broker's defaults; each partition has its leader when this returns.
  public static void create(String topic, int partitions) {
    create(topic, partitions, Map.of());
  }

  /// @param config settings of the topic, such as `cleanup.policy`
  public static void create(String topic, int partitions, Map<String, String> config) {
    NewTopic described =
        new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(config);
    try {
      NewTopics.create(SharedEmbeddedKafka.bootstrapServers(), List.of(described));
    } catch (ExecutionException | InterruptedException | TimeoutException e) {
      throw new AssertionError("Topic '" + topic + "' cannot be created.", e);
    }
  }

  /// Writes values without keys to partition 0, in order. They can be read when this returns.
  public static void write(String topic, String... values) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings(Map.of()), new StringSerializer(), new StringSerializer())) {
      for (String value : values) {
        // One at a time: a broker that does not know its new topic yet may refuse a batch and take
        // the one behind it.
        producer.send(new ProducerRecord<>(topic, 0, null, value)).get();
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError("Topic '" + topic + "' cannot be written to.", e);
    }
  }

  /// Returns the committed records of partition 0 from its start, as soon as there are this many.
  /// Waits up to half a minute, longer on a busy machine.
  public static List<ConsumerRecord<String, String>> read(String topic, int count) {
    List<ConsumerRecord<String, String>> found = new ArrayList<>();
    Map<String, Object> committed =
        Map.of("isolation.level", "read_committed", "enable.auto.commit", false);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            settings(committed), new StringDeserializer(), new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      Patience patience = Patience.of(PATIENCE);
      while (found.size() < count) {
        if (patience.isOver()) {
          throw new AssertionError(
              "Topic '%s' has %d records after %s, %d were expected: %s"
                  .formatted(topic, found.size(), patience, count, found));
        }
        consumer.poll(Duration.ofMillis(100)).forEach(found::add);
      }
    }
    return found;
  }

  private static Map<String, Object> settings(Map<String, Object> more) {
    Map<String, Object> all = new HashMap<>(more);
    all.put("bootstrap.servers", SharedEmbeddedKafka.bootstrapServers());
    return all;
  }
}

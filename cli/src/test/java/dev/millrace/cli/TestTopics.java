package dev.millrace.cli;

import dev.millrace.kafka.embedded.SharedEmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// Topics of the shared broker, by ordinary clients.
final class TestTopics {
  private TestTopics() {}

  private static Map<String, Object> settings(Map<String, Object> more) {
    Map<String, Object> all = new HashMap<>(more);
    all.put("bootstrap.servers", SharedEmbeddedKafka.bootstrapServers());
    return all;
  }

  static void create(String topic, int partitions) {
    try (Admin admin = Admin.create(settings(Map.of()))) {
      admin
          .createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
          .all()
          .get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Writes values to partition 0.
  static void write(String topic, String... values) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings(Map.of()), new StringSerializer(), new StringSerializer())) {
      for (String value : values) {
        var _ = producer.send(new ProducerRecord<>(topic, 0, null, value));
      }
    }
  }

  /// Every committed record of partition 0 until there are so many.
  static List<ConsumerRecord<String, String>> read(String topic, int count) {
    List<ConsumerRecord<String, String>> found = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            settings(Map.of("isolation.level", "read_committed", "enable.auto.commit", false)),
            new StringDeserializer(),
            new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (found.size() < count) {
        if (System.nanoTime() > end) {
          throw new AssertionError(topic + " has only " + found);
        }
        consumer.poll(Duration.ofMillis(100)).forEach(found::add);
      }
    }
    return found;
  }
}

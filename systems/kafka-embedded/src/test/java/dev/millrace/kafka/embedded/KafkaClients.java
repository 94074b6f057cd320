package dev.millrace.kafka.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// What the tests do with the official clients.
final class KafkaClients {
  private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();

  private KafkaClients() {}

  static Admin admin(String bootstrapServers) {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  static void createTopic(String bootstrapServers, String topic)
      throws ExecutionException, InterruptedException {
    try (Admin admin = admin(bootstrapServers)) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
  }

  static Producer<String, String> producer(String bootstrapServers, Map<String, Object> more) {
    var config = new HashMap<>(more);
    config.put("bootstrap.servers", bootstrapServers);
    return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
  }

  /// Sends values and waits for their acknowledgement.
  static void send(String bootstrapServers, String topic, String... values)
      throws ExecutionException, InterruptedException {
    try (Producer<String, String> producer = producer(bootstrapServers, Map.of())) {
      for (String value : values) {
        producer.send(new ProducerRecord<>(topic, value)).get();
      }
    }
  }

  /// The committed values from the start of a topic, as members of a group get them, until there
  /// are as many as expected; fails by returning fewer.
  static List<String> values(String bootstrapServers, String topic, int expected) {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "group.id",
            "reader-" + UUID.randomUUID(),
            "isolation.level",
            "read_committed",
            "auto.offset.reset",
            "earliest");
    var values = new ArrayList<String>();
    try (var consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      while (values.size() < expected && System.nanoTime() < deadline) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
          values.add(record.value());
        }
      }
    }
    return values;
  }
}

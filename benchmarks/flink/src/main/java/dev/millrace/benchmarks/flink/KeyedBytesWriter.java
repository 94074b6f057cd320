package dev.millrace.benchmarks.flink;

import dev.millrace.benchmarks.scenarios.Event;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Writes records; Kafka's own partitioner decides by the key.
public final class KeyedBytesWriter implements KafkaRecordSerializationSchema<KeyedBytes> {
  private static final long serialVersionUID = 1;

  private final String topic;

  public KeyedBytesWriter(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      KeyedBytes element, KafkaSinkContext context, Long timestamp) {
    return new ProducerRecord<>(topic, Event.toBytes(element.key), element.value);
  }
}

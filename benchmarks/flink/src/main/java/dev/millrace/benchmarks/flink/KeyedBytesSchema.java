package dev.millrace.benchmarks.flink;

import dev.millrace.benchmarks.scenarios.Event;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Reads records with their own or their other key.
public final class KeyedBytesSchema implements KafkaRecordDeserializationSchema<KeyedBytes> {
  private static final long serialVersionUID = 1;

  private final boolean byOther;

  public KeyedBytesSchema(boolean byOther) {
    this.byOther = byOther;
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<KeyedBytes> out) {
    byte[] value = record.value();
    out.collect(
        new KeyedBytes(byOther ? Event.other(value, 0) : Event.toLong(record.key(), 0), value));
  }

  @Override
  public TypeInformation<KeyedBytes> getProducedType() {
    return TypeInformation.of(KeyedBytes.class);
  }
}

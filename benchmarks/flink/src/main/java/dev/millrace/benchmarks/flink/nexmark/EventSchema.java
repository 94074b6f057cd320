package dev.millrace.benchmarks.flink.nexmark;

import dev.millrace.api.serde.Bytes;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Events;
import dev.millrace.benchmarks.scenarios.Tally;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// Reads events of a topic.
final class EventSchema implements KafkaRecordDeserializationSchema<Event> {
  private static final long serialVersionUID = 1;

  private transient @Nullable Tally tally;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Event> out) {
    Tally counts = tally;
    if (counts == null) {
      counts = Tally.create();
      tally = counts;
    }
    counts.add(1);
    out.collect(Events.SERDE.read(Bytes.of(record.value())));
  }

  @Override
  public TypeInformation<Event> getProducedType() {
    return TypeInformation.of(Event.class);
  }
}

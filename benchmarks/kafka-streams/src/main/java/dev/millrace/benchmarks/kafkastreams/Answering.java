package dev.millrace.benchmarks.kafkastreams;

import dev.millrace.benchmarks.scenarios.Event;
import dev.millrace.benchmarks.scenarios.Tally;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Counts by key, and answers records that ask.
final class Answering implements Processor<byte[], byte[], byte[], byte[]> {
  static final String STORE = "counts";

  private @Nullable ProcessorContext<byte[], byte[]> context;
  private @Nullable KeyValueStore<Bytes, byte[]> counts;
  private @Nullable Tally tally;

  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    counts = newContext.getStateStore(STORE);
    tally = Tally.create();
  }

  @Override
  public void process(Record<byte[], byte[]> event) {
    KeyValueStore<Bytes, byte[]> store = Objects.requireNonNull(counts);
    Bytes key = Bytes.wrap(event.key());
    byte[] count = store.get(key);
    long number = count == null ? 0 : Event.toLong(count, 0);
    if (Event.asks(event.value(), 0)) {
      Objects.requireNonNull(context).forward(event.withValue(Event.toBytes(number)));
    } else {
      store.put(key, Event.toBytes(number + 1));
    }
    Objects.requireNonNull(tally).add(1);
  }
}

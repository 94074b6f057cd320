package dev.millrace.benchmarks.kafkastreams;

import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.change.peer.Padding;
import dev.millrace.benchmarks.change.peer.Row;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Counts by key and adds up.
final class Totalling implements Processor<byte[], byte[], byte[], byte[]> {
  private final String store;
  private final boolean withLargest;
  private @Nullable ProcessorContext<byte[], byte[]> context;
  private @Nullable KeyValueStore<Bytes, byte[]> totals;

  /// @param store the name of its store
  /// @param withLargest whether the record that is kept has this field
  Totalling(String store, boolean withLargest) {
    this.store = store;
    this.withLargest = withLargest;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    totals = newContext.getStateStore(store);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    KeyValueStore<Bytes, byte[]> kept = Objects.requireNonNull(totals);
    Event event = Event.of(record.value());
    Bytes key = Bytes.wrap(record.key());
    byte[] written = kept.get(key);
    Total before =
        written == null
            ? new Total(0, 0, Event.UNNUMBERED, Padding.of(event.key()), 0)
            : Total.of(written);
    Total now =
        new Total(
            before.count() + 1,
            before.sum() + event.amount(),
            event.number(),
            before.padding(),
            Math.max(before.largest(), event.amount()));
    kept.put(key, now.bytes(withLargest));
    if (event.number() != Event.UNNUMBERED) {
      Row row = Row.ofTotals(event.number(), now.count(), now.sum(), now.padding());
      Objects.requireNonNull(context).forward(record.withValue(row.value()));
    }
  }
}

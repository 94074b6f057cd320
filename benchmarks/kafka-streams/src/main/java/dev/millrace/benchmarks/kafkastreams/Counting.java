package dev.millrace.benchmarks.kafkastreams;

import dev.millrace.benchmarks.recovery.PaddedCount;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Counts by key.
final class Counting implements Processor<byte[], byte[], Void, Void> {
  static final String STORE = "counts";

  private final Counted counted;
  private @Nullable KeyValueStore<Bytes, byte[]> counts;
  private @Nullable LongAdder ofTask;

  Counting(Counted counted) {
    this.counted = counted;
  }

  @Override
  public void init(ProcessorContext<Void, Void> context) {
    counts = context.getStateStore(STORE);
    ofTask = counted.task(context.taskId().partition());
  }

  @Override
  public void process(Record<byte[], byte[]> event) {
    KeyValueStore<Bytes, byte[]> store = Objects.requireNonNull(counts);
    Bytes key = Bytes.wrap(event.key());
    byte[] count = store.get(key);
    byte[] next = PaddedCount.addOne(count == null ? PaddedCount.zero() : count.clone());
    store.put(key, next);
    Objects.requireNonNull(ofTask).increment();
  }
}

package dev.millrace.benchmarks.localstate;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.benchmarks.scenarios.Event;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Counts by id in a store of the engine: a get and a put for each record.
final class LocalCounts implements Processor<Long, Bytes, byte[]> {
  static final StoreSpec<Long, Long> STORE =
      StoreSpec.keyValue("counts", Serdes.kafkaLong(), Serdes.longs());

  private @Nullable KeyValueStore<Long, Long> opened;

  @Override
  public void open(ProcessorContext<Long> context) {
    opened = context.store(STORE);
  }

  @Override
  public void process(Records<Long, Bytes> records, Output<byte[]> out) {
    KeyValueStore<Long, Long> counts = Objects.requireNonNull(opened);
    long slice = 0;
    while (records.next()) {
      long id = Objects.requireNonNull(records.key());
      Bytes event = records.value();
      Long before = counts.get(id);
      long count = before == null ? 0 : before;
      if (Event.asks(event.array(), event.offset())) {
        out.emit(Messages.answer(id, count));
      } else {
        counts.put(id, count + 1);
      }
      slice++;
    }
    Slices.done(slice);
  }
}

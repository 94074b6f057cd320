package dev.millrace.benchmarks.localstate;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Joins with a table in a store of the engine: a get for each record.
final class LocalTable implements Processor<Long, Bytes, byte[]> {
  static final StoreSpec<Long, byte[]> STORE =
      StoreSpec.keyValue("table", Serdes.kafkaLong(), Serdes.bytes());

  private @Nullable KeyValueStore<Long, byte[]> opened;

  @Override
  public void open(ProcessorContext<Long> context) {
    opened = context.store(STORE);
  }

  @Override
  public void process(Records<Long, Bytes> records, Output<byte[]> out) {
    KeyValueStore<Long, byte[]> table = Objects.requireNonNull(opened);
    long slice = 0;
    while (records.next()) {
      long id = Objects.requireNonNull(records.key());
      Bytes record = records.value();
      if (Messages.isOfTable(record)) {
        table.put(id, Messages.tableValue(record));
      } else {
        byte[] value = table.get(id);
        if (value == null) {
          throw new IllegalStateException("The table has nothing for id " + id);
        }
        out.emit(Messages.joined(id, value, record));
      }
      slice++;
    }
    Slices.done(slice);
  }
}

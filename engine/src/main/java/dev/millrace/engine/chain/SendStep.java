package dev.millrace.engine.chain;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.spi.RecordBatch;

/// Where rows leave the task, to a sink or an exchange: the only place where they become bytes.
/// What did not change is copied.
final class SendStep extends Step {

  /// Finds the key under which a row leaves; false if it has none.
  private interface Keys {
    boolean find(Rows rows, int row, Bytes to);
  }

  private final Outbox.Stream to;
  private final Keys keys;
  private final boolean readsValues;
  private final Serde<Object> valueSerde;
  private final int partitionWithoutKey;
  private final Bytes key = new Bytes();
  private final Bytes view = new Bytes();

  /// To a sink, keys as they are.
  static SendStep toSink(
      String name, Place place, Outbox.Stream to, Serde<Object> valueSerde, int task) {
    return new SendStep(name, place, to, Rows::key, false, valueSerde, task % to.partitions());
  }

  /// To a sink that has the same keys in another format.
  static SendStep toSink(
      String name,
      Place place,
      Outbox.Stream to,
      Serde<Object> reads,
      Serde<Object> writes,
      Serde<Object> valueSerde,
      int task) {
    BytesWriter written = new BytesWriter(64);
    Keys rewritten =
        (rows, row, key) -> {
          if (!rows.key(row, key)) {
            return false;
          }
          Object read = reads.read(key);
          writes.write(read, written.clear());
          written.view(key, 0);
          return true;
        };
    return new SendStep(name, place, to, rewritten, false, valueSerde, task % to.partitions());
  }

  /// To an exchange, under a new key.
  static SendStep toExchange(
      String name,
      Place place,
      Outbox.Stream to,
      Mapper<Object, Object> newKey,
      Serde<Object> newKeySerde,
      Serde<Object> valueSerde) {
    BytesWriter written = new BytesWriter(64);
    Keys made =
        (rows, row, key) -> {
          Object object = newKey.map(rows.values()[row]);
          if (object == null) {
            throw new SerdeException("The key is null; filter such records before grouping.");
          }
          newKeySerde.write(object, written.clear());
          written.view(key, 0);
          return true;
        };
    return new SendStep(name, place, to, made, true, valueSerde, -1);
  }

  private SendStep(
      String name,
      Place place,
      Outbox.Stream to,
      Keys keys,
      boolean readsValues,
      Serde<Object> valueSerde,
      int partitionWithoutKey) {
    super(name, place);
    this.to = to;
    this.keys = keys;
    this.readsValues = readsValues;
    this.valueSerde = valueSerde;
    this.partitionWithoutKey = partitionWithoutKey;
  }

  @Override
  void apply(Rows rows) {
    boolean copies = rows.copies(valueSerde);
    if (readsValues || !copies) {
      rows.values(); // decoded here, so that a value that cannot be read is named
    }
    for (int row = 0, size = rows.size(); row < size; row++) {
      rows.current = row;
      boolean hasKey = keys.find(rows, row, key);
      int partition = hasKey ? Partitioner.partition(key, to.partitions()) : partitionWithoutKey;
      if (rows.timestamp(row) < 0) {
        throw new SerdeException(
            "The event time is %d, before 1970; a topic takes none before that."
                .formatted(rows.timestamp(row)));
      }
      RecordBatch batch = to.batch(partition);
      int before = batch.data().length();
      batch.append(batch.size(), rows.timestamp(row));
      if (hasKey) {
        batch.key(key.array(), key.offset(), key.length());
      }
      if (copies) {
        if (rows.valueBytes(row, view)) {
          batch.value(view.array(), view.offset(), view.length());
        }
      } else {
        int start = batch.data().length();
        valueSerde.write(rows.values()[row], batch.data());
        batch.endValue(start);
      }
      if (rows.headers(row, view)) {
        batch.headers(view.array(), view.offset(), view.length());
      }
      checkSize(batch.data().length() - before);
    }
  }

  private void checkSize(int bytes) {
    if (bytes > Outbox.MAX_RECORD_BYTES) {
      throw new SerdeException(
          "The record has %d bytes, more than the %d that a topic takes."
              .formatted(bytes, Outbox.MAX_RECORD_BYTES));
    }
  }
}

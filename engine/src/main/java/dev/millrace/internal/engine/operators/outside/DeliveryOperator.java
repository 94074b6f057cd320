package dev.millrace.internal.engine.operators.outside;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesReader;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.spi.ExternalSink;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Hands rows to a sink outside the log, each commit's when it has taken place.
///
/// Until then they lie in a store, in chunks under the number of the commit they belong to: they
/// are part of the very transaction whose outcome decides about them, and a task that comes back
/// from its state finds what its predecessor may not have delivered. What was delivered is deleted
/// with the next commit.
public final class DeliveryOperator implements Operator {
  private static final int CHUNK_BYTES = 64 << 10;

  private static final byte[] NO_DETAIL = {};

  private final ExternalSink<Object, Object> sink;
  private final StoreSpec<Bytes, byte[]> spec;
  private final @Nullable Serde<Object> newKeys;
  private final BytesWriter chunk = new BytesWriter(CHUNK_BYTES);
  private final BytesWriter row = new BytesWriter(256);
  private final BytesWriter part = new BytesWriter(256);
  private final BytesWriter keyWriter = new BytesWriter(16);
  private final Bytes keyView = new Bytes();
  private final Bytes view = new Bytes();

  /// The store's keys of what was delivered and is to be deleted.
  private final List<Bytes> delivered = new ArrayList<>();

  private final RecordBatch batch = RecordBatch.create();

  private @Nullable KeyValueStore<Bytes, byte[]> store;
  private ExternalSink.@Nullable Delivery delivery;
  private Split split = new Split("", 0);

  /// The commit that what comes now will belong to.
  private long next;

  /// The largest row: one that is a chunk by itself.
  private int mostBytes = Integer.MAX_VALUE;

  private int chunks;
  private int chunksMarked;
  private long collected;
  private long deliveredTo;

  private DeliveryOperator(
      ExternalSink<Object, Object> sink,
      StoreSpec<Bytes, byte[]> spec,
      @Nullable Serde<Object> newKeys) {
    this.sink = sink;
    this.spec = spec;
    this.newKeys = newKeys;
  }

  /// The operator as a topology carries it.
  ///
  /// @param rewritesKeys whether the sink has keys of another format than the rows
  public static Declaration declare(ExternalSink<Object, Object> sink, boolean rewritesKeys) {
    StoreSpec<Bytes, byte[]> spec =
        StoreSpec.keyValue(
                sink.stream() + "-deliveries",
                new KeyBytesSerde("commit+chunk", null),
                Serdes.bytes())
            .withRanges();
    Serde<?> keys = sink.keySerde();
    Serde<Object> newKeys = rewritesKeys && keys != null ? erased(keys) : null;
    return new Declaration(
        () -> new DeliveryOperator(sink, spec, newKeys), List.of(spec), written(sink));
  }

  /// What waits is written as the sink is to have it.
  private static Parameters written(ExternalSink<Object, Object> sink) {
    Parameters ofValues = Parameters.of("delivery").with("values", sink.valueSerde());
    Serde<?> keys = sink.keySerde();
    return keys == null ? ofValues : ofValues.with("keys", keys);
  }

  @SuppressWarnings("unchecked") // the typed front made sure that the keys fit
  private static Serde<Object> erased(Serde<?> serde) {
    return (Serde<Object>) serde;
  }

  @Override
  public void open(OperatorContext context) {
    store = context.store(spec);
    mostBytes = context.largestValue(spec);
    split = new Split(sink.stream(), context.partition());
    next = context.committed() + 1;
    delivery = sink.open(context.task(), context.changelogId());
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    while (rows.next()) {
      write(rows);
      if (row.length() > mostBytes) {
        throw tooLarge(Integer.toString(row.length()));
      }
      if (chunk.length() + row.length() > CHUNK_BYTES) {
        endChunk();
      }
      chunk.write(row.view(view, 0));
    }
  }

  private void write(RowCursor from) {
    row.clear();
    row.writeLong(from.timestamp());
    Bytes key = from.keyBytes();
    if (key == null) {
      row.writeVarInt(0);
    } else {
      if (newKeys != null) {
        part.clear();
        newKeys.write(Objects.requireNonNull(from.key()), part);
        key = part.view(view, 0);
      }
      row.writeVarInt(key.length() + 1);
      row.write(key);
    }
    part.clear();
    part.limit(mostBytes);
    try {
      sink.valueSerde().write(from.value(), part);
    } catch (SerdeException e) {
      throw part.isAtLimit() ? tooLarge("more than " + mostBytes) : e;
    }
    Bytes value = part.view(view, 0);
    sink.check(value);
    row.writeVarInt(value.length());
    row.write(value);
    Bytes headers = from.headers();
    row.writeVarInt(headers.length());
    row.write(headers);
  }

  private SerdeException tooLarge(String bytes) {
    return new SerdeException(
        "The record has %s bytes, but store '%s', in which it waits for its delivery, accepts at most %d. Make it smaller, or raise state.max-value-of for '%s', and max.message.bytes of the changelog with it."
            .formatted(bytes, spec.name(), mostBytes, spec.name()));
  }

  private void endChunk() {
    if (chunk.length() > 0) {
      Opened.store(store).put(key(next, chunks++), chunk.toByteArray());
      chunk.clear();
    }
  }

  private Bytes key(long commit, int number) {
    keyWriter.clear();
    keyWriter.writeLong(commit);
    keyWriter.writeInt(number);
    return keyWriter.view(keyView, 0);
  }

  @Override
  public void beforeCommit(long number) {
    if (number != next) {
      throw new IllegalStateException("Commit " + number + " comes where " + next + " was due.");
    }
    delivered.forEach(Opened.store(store)::delete);
    delivered.clear();
    endChunk();
    next = number + 1;
    chunks = 0;
  }

  /// Delivers what is in the store, up to this commit.
  @Override
  public boolean afterCommit(long number) {
    KeyValueStore<Bytes, byte[]> from = Opened.store(store);
    batch.reset(split, NO_DETAIL, 0);
    collected = 0;
    // What was delivered before is deleted: passing over that would be work at every commit.
    from.range(key(deliveredTo + 1, 0).copy(), key(number + 1, 0).copy(), this::collect);
    deliver();
    return !delivered.isEmpty();
  }

  private boolean collect(Bytes key, byte[] rows) {
    long commit = new BytesReader(key).readLong();
    if (commit != collected) {
      deliver();
      collected = commit;
    }
    BytesReader in = new BytesReader(Bytes.of(rows));
    while (in.remaining() > 0) {
      read(in);
    }
    delivered.add(key.copy());
    return true;
  }

  private void read(BytesReader in) {
    batch.append(batch.size(), in.readLong());
    int keyLength = in.readVarInt() - 1;
    if (keyLength >= 0) {
      in.readView(keyLength, view);
      batch.key(view.array(), view.offset(), view.length());
    }
    in.readView(in.readVarInt(), view);
    batch.value(view.array(), view.offset(), view.length());
    in.readView(in.readVarInt(), view);
    batch.headers(view.array(), view.offset(), view.length());
  }

  private void deliver() {
    if (batch.size() > 0) {
      Opened.store(delivery).deliver(collected, batch);
      deliveredTo = collected;
    }
    batch.reset(split, NO_DETAIL, 0);
  }

  @Override
  public boolean mark() {
    endChunk();
    chunksMarked = chunks;
    return true;
  }

  /// To open it anew would be to ask the sink again how far it has come.
  @Override
  public boolean undo() {
    chunk.clear();
    chunks = chunksMarked;
    return true;
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public void close() {
    store = null;
    ExternalSink.Delivery open = delivery;
    delivery = null;
    if (open != null) {
      open.close();
    }
  }
}

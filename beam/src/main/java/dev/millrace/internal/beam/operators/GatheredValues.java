package dev.millrace.internal.beam.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesReader;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.state.BytesInput;
import dev.millrace.internal.beam.state.BytesSerde;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.jspecify.annotations.Nullable;

/// All values of a key in a window, in the order in which they came. They are kept as they were
/// written, one after the other; of many, most in chunks of their own.
final class GatheredValues implements Gathering {
  private static final int CHUNK_BYTES = 16 << 10;
  private static final int FEWEST_BYTES = 16;

  private final Coder<Object> values;
  private final StoreSpec<Bytes, Bytes> spec;
  private final BytesWriter chunkKey = new BytesWriter(64);
  private @Nullable KeyValueStore<Bytes, Bytes> chunks;

  private GatheredValues(Coder<?> values, StoreSpec<Bytes, Bytes> spec) {
    this.values = DoFnSpec.coder(values);
    this.spec = spec;
  }

  /// Values of a coder, for a topology.
  static Kind kind(String operator, Coder<?> values) {
    StoreSpec<Bytes, Bytes> spec =
        StoreSpec.keyValue(operator + "-chunks", BytesSerde.INSTANCE, BytesSerde.INSTANCE);
    return new Kind() {
      @Override
      public Gathering create() {
        return new GatheredValues(values, spec);
      }

      @Override
      public Serde<Object> serde() {
        return new Format();
      }

      @Override
      public List<StoreSpec<?, ?>> stores() {
        return List.of(spec);
      }
    };
  }

  /// The values that are in no chunk yet, and how many there are of both.
  private static final class Kept {
    private final BytesWriter bytes;
    private long count;
    private int chunks;

    Kept(int capacity) {
      bytes = new BytesWriter(capacity);
    }
  }

  /// Writes what is kept of a key.
  private record Format() implements Serde<Object> {
    @Override
    public String id() {
      return "beam:values";
    }

    @Override
    public void write(Object value, BytesWriter out) {
      Kept kept = (Kept) value;
      out.writeLong(kept.count);
      out.writeInt(kept.chunks);
      out.write(kept.bytes.array(), 0, kept.bytes.length());
    }

    @Override
    public Object read(Bytes in) {
      int rest = in.length() - Long.BYTES - Integer.BYTES;
      Kept kept = new Kept(Math.max(FEWEST_BYTES, rest));
      BytesReader reader = new BytesReader(in);
      kept.count = reader.readLong();
      kept.chunks = reader.readInt();
      kept.bytes.write(in.array(), in.offset() + in.length() - rest, rest);
      return kept;
    }
  }

  @Override
  public void open(OperatorContext context) {
    chunks = context.store(spec);
  }

  @Override
  public Object add(@Nullable Object before, Bytes at, Bytes value) {
    Kept kept = before == null ? new Kept(Math.max(FEWEST_BYTES, value.length())) : (Kept) before;
    append(kept, at, value);
    kept.count++;
    return kept;
  }

  /// Adds bytes of whole values.
  private void append(Kept kept, Bytes at, Bytes value) {
    if (kept.bytes.length() > 0 && kept.bytes.length() + value.length() > CHUNK_BYTES) {
      Bytes chunk = Bytes.of(kept.bytes.toByteArray());
      Opened.store(chunks).put(chunk(at, kept.chunks++), chunk);
      kept.bytes.clear();
    }
    kept.bytes.write(value);
  }

  @Override
  public Object merge(Object object, Bytes at, Object other, Bytes from) {
    Kept kept = (Kept) object;
    Kept added = (Kept) other;
    for (int i = 0; i < added.chunks; i++) {
      Bytes place = chunk(from, i).copy();
      Bytes chunk = Opened.store(Opened.store(chunks).get(place));
      Opened.store(chunks).delete(place);
      Opened.store(chunks).put(chunk(at, kept.chunks++), chunk);
    }
    append(kept, at, added.bytes.view(new Bytes(), 0));
    kept.count += added.count;
    return kept;
  }

  private Bytes chunk(Bytes at, int number) {
    chunkKey.clear();
    chunkKey.write(at);
    chunkKey.writeInt(number);
    return chunkKey.view(new Bytes(), 0);
  }

  @Override
  public Object result(Object object, Bytes at) {
    Kept kept = (Kept) object;
    List<Object> all = new ArrayList<>(Math.toIntExact(kept.count));
    for (int i = 0; i < kept.chunks; i++) {
      Bytes place = chunk(at, i);
      BytesInput chunk = new BytesInput(Opened.store(Opened.store(chunks).get(place)), 0);
      while (chunk.available() > 0) {
        all.add(Coding.read(values, chunk));
      }
      Opened.store(chunks).delete(place);
    }
    BytesInput rest = new BytesInput(kept.bytes.view(new Bytes(), 0), 0);
    while (all.size() < kept.count) {
      all.add(Coding.read(values, rest)); // may have no bytes
    }
    return all;
  }
}

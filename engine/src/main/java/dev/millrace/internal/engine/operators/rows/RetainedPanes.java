package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Window;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Panes that are all values of a key and window, of which a function makes the result.
///
/// Values are kept in chunks. Those that came last lie in the pane itself; a commit writes them
/// anew as long as they are few. When they fill a chunk it goes into a second store, under the same
/// key and its number, and is not written again unless a value is taken out of it. So a value is
/// not a put, and closing a window costs a tombstone a chunk.
public final class RetainedPanes implements Panes<Retained> {
  /// As large as a block of the disk. Larger ones would be written more often before they are full.
  private static final int CHUNK_BYTES = 4 << 10;

  private final StoreSpec<Bytes, Retained> spec;
  private final StoreSpec<Bytes, Bytes> chunkSpec;
  private final WindowFunction<Object, Object> function;
  private final Serde<Object> valueSerde;
  private final boolean byTime;
  private final BytesWriter chunkKey = new BytesWriter(64);
  private final Bytes chunkKeyView = new Bytes();
  private final BytesWriter encoded = new BytesWriter(64);
  private @Nullable KeyValueStore<Bytes, Retained> store;
  private @Nullable KeyValueStore<Bytes, Bytes> chunks;
  private @Nullable ReadAhead ahead;

  private RetainedPanes(
      StoreSpec<Bytes, Retained> spec,
      StoreSpec<Bytes, Bytes> chunkSpec,
      WindowFunction<Object, Object> function,
      Serde<Object> valueSerde,
      boolean byTime) {
    this.spec = spec;
    this.chunkSpec = chunkSpec;
    this.function = function;
    this.valueSerde = valueSerde;
    this.byTime = byTime;
  }

  /// Panes of values in the order of their rows.
  ///
  /// @param keys of the panes
  /// @param values of the rows
  public static Declared declare(
      String name,
      WindowFunction<Object, Object> function,
      KeyBytesSerde keys,
      Serde<Object> values) {
    return declare(name, function, keys, values, false);
  }

  /// Panes of values in the order of event time.
  ///
  /// @param keys of the panes
  /// @param values of the rows
  public static Declared byTime(
      String name,
      WindowFunction<Object, Object> function,
      KeyBytesSerde keys,
      Serde<Object> values) {
    return declare(name, function, keys, new TimedValue.Format(values), true);
  }

  private static Declared declare(
      String name,
      WindowFunction<Object, Object> function,
      KeyBytesSerde keys,
      Serde<Object> values,
      boolean byTime) {
    StoreSpec<Bytes, Retained> last = keys.spec(name, new Retained.Format(values));
    StoreSpec<Bytes, Bytes> chunks =
        StoreSpec.keyValue(
            chunkStore(name), keys.withTail(Integer.BYTES), new Retained.Chunk(values));
    return new Declared(
        () -> new RetainedPanes(last, chunks, function, values, byTime), List.of(last, chunks));
  }

  /// What the second store is called.
  static String chunkStore(String name) {
    return name + "-chunks";
  }

  @Override
  public void open(OperatorContext context) {
    store = context.store(spec);
    chunks = context.store(chunkSpec);
    ahead = context.readAhead(spec);
  }

  @Override
  public void close() {
    store = null;
    chunks = null;
    ahead = null;
  }

  @Override
  public KeyValueStore<Bytes, Retained> store() {
    return Opened.store(store);
  }

  @Override
  public ReadAhead ahead() {
    return Opened.store(ahead);
  }

  private KeyValueStore<Bytes, Bytes> chunks() {
    return Opened.store(chunks);
  }

  @Override
  public @Nullable Retained find(Bytes storeKey) {
    return store().get(storeKey);
  }

  @Override
  public void add(Bytes storeKey, @Nullable Retained pane, RowCursor row) {
    Retained retained = pane == null ? new Retained() : pane;
    retained.add(valueSerde, value(row));
    if (retained.tailBytes() >= CHUNK_BYTES) {
      int number = retained.chunks();
      chunks().put(chunkKey(storeKey, number), retained.takeChunk());
    }
    store().put(storeKey, retained);
  }

  private Object value(RowCursor row) {
    return byTime ? new TimedValue(row.timestamp(), row.value()) : row.value();
  }

  /// Takes out the first value with the same bytes; looks at those that came last before the
  /// chunks. One that is not there with its time is there with another: at ticks late rows get
  /// theirs from the watermark.
  @Override
  public void remove(Bytes storeKey, @Nullable Retained pane, RowCursor row) {
    if (pane == null) {
      throw Panes.nothingToTakeBack();
    }
    encoded.clear();
    valueSerde.write(value(row), encoded);
    if (!remove(storeKey, pane, 0) && !(byTime && remove(storeKey, pane, TimedValue.HEAD_BYTES))) {
      throw Panes.nothingToTakeBack();
    }
    if (pane.chunks() == 0 && pane.tailBytes() == 0) {
      store().delete(storeKey);
    } else {
      store().put(storeKey, pane);
    }
  }

  /// Takes the value that is encoded out.
  ///
  /// @param from which of its bytes count
  private boolean remove(Bytes storeKey, Retained pane, int from) {
    Bytes value = encoded.view(new Bytes(), from);
    return pane.removeFromTail(valueSerde, value, from)
        || removeFromChunk(storeKey, pane, value, from);
  }

  private boolean removeFromChunk(Bytes storeKey, Retained pane, Bytes value, int from) {
    for (int number = 0; number < pane.chunks(); number++) {
      Bytes rest = Retained.without(chunk(storeKey, number), valueSerde, value, from);
      if (rest != null) {
        if (rest.length() > 0) {
          chunks().put(chunkKey(storeKey, number), rest);
        } else {
          closeGap(storeKey, pane, number);
        }
        return true;
      }
    }
    return false;
  }

  /// Every chunk behind one that is empty moves up.
  private void closeGap(Bytes storeKey, Retained pane, int empty) {
    int last = pane.chunks() - 1;
    for (int number = empty; number < last; number++) {
      Bytes next = chunk(storeKey, number + 1).copy();
      chunks().put(chunkKey(storeKey, number), next);
    }
    chunks().delete(chunkKey(storeKey, last));
    pane.dropChunk();
  }

  private Bytes chunk(Bytes storeKey, int number) {
    return Objects.requireNonNull(
        chunks().get(chunkKey(storeKey, number)), "A chunk of values is missing.");
  }

  @Override
  public Object result(Window window, Bytes storeKey, Retained pane) {
    List<Object> values = new ArrayList<>();
    for (int number = 0; number < pane.chunks(); number++) {
      Retained.read(chunk(storeKey, number), valueSerde, values);
    }
    pane.readTail(valueSerde, values);
    return Objects.requireNonNull(
        function.apply(
            window, Collections.unmodifiableList(byTime ? TimedValue.inOrder(values) : values)),
        "The function returned null; a result is never null.");
  }

  @Override
  public @Nullable Bytes kept(Bytes storeKey) {
    return null;
  }

  @Override
  public void delete(Bytes storeKey) {
    Retained pane = store().get(storeKey);
    int count = pane == null ? 0 : pane.chunks();
    store().delete(storeKey);
    for (int number = 0; number < count; number++) {
      chunks().delete(chunkKey(storeKey, number));
    }
  }

  /// No two are alike: of keys with equal length the numbers lie in the same place.
  private Bytes chunkKey(Bytes storeKey, int number) {
    chunkKey.clear();
    chunkKey.write(storeKey);
    chunkKey.writeInt(number);
    return chunkKey.view(chunkKeyView, 0);
  }
}

package dev.millrace.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.WindowFunction;
import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Keeps all values of a key and window; when the watermark reaches a window's end, hands those of
/// each key to a function once and emits its result as [WindowOperator] does.
///
/// Values are kept in chunks. Those that came last lie with the window in one store, whose keys are
/// as those of [WindowOperator]; a commit writes them anew as long as they are few. When they fill
/// a chunk it goes into a second store, under the same key and its number, and is never written
/// again. So a value is not a put, and closing a window costs a tombstone a chunk.
public final class RetainOperator implements Operator {
  /// As large as a block of the disk. Larger ones would be written more often before they are full.
  private static final int CHUNK_BYTES = 4 << 10;

  private final StoreSpec<Bytes, Retained> spec;
  private final StoreSpec<Bytes, Bytes> chunkSpec;
  private final FixedWindows windows;
  private final WindowFunction<Object, Object> function;
  private final Serde<Object> keySerde;
  private final Serde<Object> valueSerde;
  private final OpenWindows openWindows;
  private final OpenWindows.Visitor add = this::add;
  private final BytesWriter chunkKey = new BytesWriter(64);
  private final Bytes chunkKeyView = new Bytes();
  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, Retained> store;
  private @Nullable KeyValueStore<Bytes, Bytes> chunks;
  private @Nullable DueEntries<Retained> due;
  private @Nullable ReadAhead ahead;

  private RetainOperator(
      StoreSpec<Bytes, Retained> spec,
      StoreSpec<Bytes, Bytes> chunkSpec,
      FixedWindows windows,
      WindowFunction<Object, Object> function,
      Serde<Object> keySerde,
      Serde<Object> valueSerde) {
    this.spec = spec;
    this.chunkSpec = chunkSpec;
    this.windows = windows;
    this.function = function;
    this.keySerde = keySerde;
    this.valueSerde = valueSerde;
    openWindows = new OpenWindows(windows);
  }

  /// The operator as a topology carries it.
  ///
  /// @param keys of the rows
  /// @param values of the rows
  public static Declaration declare(
      String name,
      FixedWindows windows,
      WindowFunction<Object, Object> function,
      Serde<Object> keys,
      Serde<Object> values) {
    StoreSpec<Bytes, Retained> last =
        StoreSpec.<Bytes, Retained>keyValue(
                name, KeyBytesSerde.afterTime(keys), new Retained.Format(values))
            .withRanges();
    StoreSpec<Bytes, Bytes> chunks =
        StoreSpec.keyValue(
            chunkStore(name), KeyBytesSerde.afterTime(keys), new Retained.Chunk(values));
    return new Declaration(
        () -> new RetainOperator(last, chunks, windows, function, keys, values),
        List.of(last, chunks));
  }

  /// What the second store is called.
  public static String chunkStore(String name) {
    return name + "-chunks";
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    store = opened.store(spec);
    chunks = opened.store(chunkSpec);
    due = new DueEntries<>(store);
    ahead = opened.readAhead(spec);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    OperatorContext opened = Opened.store(context);
    long watermark = opened.watermark();
    openWindows.readAhead(rows, watermark, Opened.store(ahead));
    while (rows.next()) {
      if (!openWindows.visit(rows, watermark, add)) {
        opened.late(rows);
      }
    }
  }

  private void add(Bytes storeKey, RowCursor row) {
    KeyValueStore<Bytes, Retained> last = Opened.store(store);
    Retained known = last.get(storeKey);
    Retained retained = known == null ? new Retained() : known;
    retained.add(valueSerde, row.value());
    if (retained.tailBytes() >= CHUNK_BYTES) {
      int number = retained.chunks();
      Opened.store(chunks).put(chunkKey(storeKey, number), retained.takeChunk());
    }
    last.put(storeKey, retained);
    Opened.store(due).added(storeKey);
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    if (watermark < Long.MIN_VALUE + windows.sizeMillis()) {
      return true;
    }
    List<Closed> closed = new ArrayList<>();
    boolean done =
        Opened.store(due)
            .walk(
                watermark - windows.sizeMillis(),
                (storeKey, retained) -> {
                  if (closed.size() >= budget) {
                    return false;
                  }
                  Closed one = new Closed(storeKey.copy(), retained.chunks());
                  closed.add(one);
                  emit(one, retained, out);
                  return true;
                });
    closed.forEach(this::delete);
    return done;
  }

  /// A window of a key that was handed over.
  private record Closed(Bytes storeKey, int chunks) {}

  private void emit(Closed closed, Retained retained, RowSink out) {
    long start = TimeKey.time(closed.storeKey);
    Bytes key = TimeKey.rowKey(closed.storeKey, new Bytes());
    Object result =
        Objects.requireNonNull(
            function.apply(windows.window(start), values(closed, retained)),
            "The function returned null; a result is never null.");
    out.emit(
        key,
        new WindowResult<>(windows.window(start), keySerde.read(key), result),
        windows.end(start) - 1);
  }

  private List<Object> values(Closed closed, Retained retained) {
    List<Object> values = new ArrayList<>();
    for (int number = 0; number < closed.chunks; number++) {
      Bytes chunk = Opened.store(chunks).get(chunkKey(closed.storeKey, number));
      Retained.read(
          Objects.requireNonNull(chunk, "A chunk of values is missing."), valueSerde, values);
    }
    retained.readTail(valueSerde, values);
    return Collections.unmodifiableList(values);
  }

  private void delete(Closed closed) {
    Opened.store(store).delete(closed.storeKey);
    for (int number = 0; number < closed.chunks; number++) {
      Opened.store(chunks).delete(chunkKey(closed.storeKey, number));
    }
  }

  /// No two are alike: of keys with equal length the numbers lie in the same place.
  private Bytes chunkKey(Bytes storeKey, int number) {
    chunkKey.clear();
    chunkKey.write(storeKey);
    chunkKey.writeInt(number);
    return chunkKey.view(chunkKeyView, 0);
  }

  @Override
  public void close() {
    context = null;
    store = null;
    chunks = null;
    due = null;
    ahead = null;
  }
}

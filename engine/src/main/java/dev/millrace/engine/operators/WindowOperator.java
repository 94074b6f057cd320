package dev.millrace.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.WindowResult;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps one aggregate a key and window; when the watermark reaches a window's end, emits each of
/// its aggregates once as a [WindowResult] under its key, at the end minus one millisecond, and
/// forgets it.
///
/// The store's keys are the window's start and the row's key, so windows close in order of time
/// and, within one, of the key's bytes. A row all of whose windows are closed is late.
public final class WindowOperator implements Operator {
  private final StoreSpec<Bytes, Object> spec;
  private final FixedWindows windows;
  private final Aggregation aggregation;
  private final Serde<Object> keySerde;
  private final Snapshot snapshot;
  private final OpenWindows openWindows;
  private final OpenWindows.Visitor add = this::add;
  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, Object> store;
  private @Nullable DueEntries<Object> due;
  private @Nullable ReadAhead ahead;

  private WindowOperator(
      StoreSpec<Bytes, Object> spec,
      FixedWindows windows,
      Aggregation aggregation,
      Serde<Object> keySerde) {
    this.spec = spec;
    this.windows = windows;
    openWindows = new OpenWindows(windows);
    this.aggregation = aggregation;
    this.keySerde = keySerde;
    this.snapshot = new Snapshot(spec.valueSerde());
  }

  /// The operator as a topology carries it.
  ///
  /// @param keys of the rows
  public static Declaration declare(
      String name,
      FixedWindows windows,
      Aggregation aggregation,
      Serde<Object> keys,
      Serde<Object> aggregates) {
    StoreSpec<Bytes, Object> spec =
        StoreSpec.keyValue(name, KeyBytesSerde.afterTime(keys), aggregates).withRanges();
    return new Declaration(
        () -> new WindowOperator(spec, windows, aggregation, keys), List.of(spec));
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    store = opened.store(spec);
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
    KeyValueStore<Bytes, Object> aggregates = Opened.store(store);
    Object before = aggregates.get(storeKey);
    Object aggregate = aggregation.add(before, row);
    aggregates.put(storeKey, before == null ? snapshot.of(aggregate) : aggregate);
    Opened.store(due).added(storeKey);
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    if (watermark < Long.MIN_VALUE + windows.sizeMillis()) {
      return true;
    }
    List<Bytes> fired = new ArrayList<>();
    boolean done =
        Opened.store(due)
            .walk(
                watermark - windows.sizeMillis(),
                (storeKey, aggregate) -> {
                  if (fired.size() >= budget) {
                    return false;
                  }
                  // Keys may be read as views: a copy of their own for each.
                  Bytes kept = storeKey.copy();
                  fired.add(kept);
                  emit(kept, aggregate, out);
                  return true;
                });
    fired.forEach(Opened.store(store)::delete);
    return done;
  }

  private void emit(Bytes storeKey, Object aggregate, RowSink out) {
    long start = TimeKey.time(storeKey);
    Bytes key = TimeKey.rowKey(storeKey, new Bytes());
    Object value = aggregate instanceof Bytes view ? view.copy() : aggregate;
    Object result = new WindowResult<>(windows.window(start), keySerde.read(key), value);
    out.emit(key, result, windows.end(start) - 1);
  }

  @Override
  public void close() {
    context = null;
    store = null;
    due = null;
    ahead = null;
  }
}

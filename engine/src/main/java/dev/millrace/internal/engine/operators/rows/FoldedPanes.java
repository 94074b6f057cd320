package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Window;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregates;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Panes that are one aggregate each.
public final class FoldedPanes implements Panes<Object> {
  private final StoreSpec<Bytes, Object> spec;
  private final Aggregation aggregation;
  private final Snapshot snapshot;
  private @Nullable KeyValueStore<Bytes, Object> store;
  private @Nullable Aggregates aggregates;
  private @Nullable ReadAhead ahead;

  /// @param spec of the panes, in the aggregation's format
  public FoldedPanes(StoreSpec<Bytes, Object> spec, Aggregation aggregation) {
    this.spec = spec;
    this.aggregation = aggregation;
    snapshot = new Snapshot(spec.valueSerde());
  }

  /// @param keys of the panes
  public static Declared declare(
      String name, Aggregation aggregation, KeyBytesSerde keys, Serde<Object> results) {
    StoreSpec<Bytes, Object> spec = keys.spec(name, aggregation.format(results));
    return new Declared(() -> new FoldedPanes(spec, aggregation), List.of(spec));
  }

  @Override
  public void open(OperatorContext context) {
    store = context.store(spec);
    aggregates = context.aggregates(spec);
    ahead = context.readAhead(spec);
  }

  @Override
  public void close() {
    store = null;
    aggregates = null;
    ahead = null;
  }

  @Override
  public KeyValueStore<Bytes, Object> store() {
    return Opened.store(store);
  }

  @Override
  public ReadAhead ahead() {
    return Opened.store(ahead);
  }

  @Override
  public @Nullable Object find(Bytes storeKey) {
    return Opened.store(aggregates).find(storeKey);
  }

  @Override
  public void add(Bytes storeKey, @Nullable Object pane, RowCursor row) {
    Object aggregate = aggregation.add(pane, row);
    Opened.store(aggregates).replace(storeKey, pane == null ? snapshot.of(aggregate) : aggregate);
  }

  @Override
  public void remove(Bytes storeKey, @Nullable Object pane, RowCursor row) {
    if (pane == null) {
      throw Panes.nothingToTakeBack();
    }
    Object aggregate = aggregation.remove(pane, row);
    if (aggregate == null) {
      store().delete(storeKey);
    } else {
      Opened.store(aggregates).replace(storeKey, aggregate);
    }
  }

  @Override
  public Object result(Window window, Bytes storeKey, Object pane) {
    return aggregation.result(pane instanceof Bytes view ? view.copy() : snapshot.of(pane));
  }

  @Override
  public void delete(Bytes storeKey) {
    store().delete(storeKey);
  }

  @Override
  public @Nullable Bytes kept(Bytes storeKey) {
    Object pane = store().get(storeKey);
    return pane == null ? null : Opened.bytes(spec.valueSerde(), pane);
  }
}

package dev.millrace.internal.engine.context;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.Aggregates;
import dev.millrace.internal.state.CachedStore;
import org.jspecify.annotations.Nullable;

/// The aggregates of a task's store.
public record StoreAggregates(CachedStore<Bytes, Object> store) implements Aggregates {

  @Override
  public @Nullable Object find(Bytes key) {
    return store.find(key);
  }

  @Override
  public void replace(Bytes key, Object aggregate) {
    store.replace(key, aggregate);
  }
}

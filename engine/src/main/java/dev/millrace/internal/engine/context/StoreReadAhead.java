package dev.millrace.internal.engine.context;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.state.CachedStore;

/// Reads ahead for one of the task's stores.
record StoreReadAhead(CachedStore<?, ?> store) implements ReadAhead {
  @Override
  public boolean pays() {
    return store.wantsKeysAhead();
  }

  @Override
  public void want(Bytes storeKey) {
    store.want(storeKey);
  }

  @Override
  public void load() {
    store.loadWanted();
  }
}

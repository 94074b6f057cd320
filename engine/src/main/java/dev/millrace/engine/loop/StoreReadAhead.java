package dev.millrace.engine.loop;

import dev.millrace.api.serde.Bytes;
import dev.millrace.engine.operators.ReadAhead;
import dev.millrace.state.CachedStore;

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

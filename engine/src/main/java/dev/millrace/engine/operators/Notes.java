package dev.millrace.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;

/// Keys to look at when event time has come to a time: entries of a store whose keys are the time
/// and the key's bytes.
final class Notes {
  private final KeyValueStore<Bytes, Boolean> store;
  private final DueEntries<Boolean> due;

  Notes(KeyValueStore<Bytes, Boolean> store) {
    this.store = store;
    due = new DueEntries<>(store);
  }

  /// @param keys of the rows
  static StoreSpec<Bytes, Boolean> spec(String name, Serde<Object> keys) {
    return KeyBytesSerde.afterTime(keys).spec(name, new Timers.Mark());
  }

  /// Is shown what was noted.
  @FunctionalInterface
  interface Visitor {
    void note(Bytes key, long time);
  }

  /// @param timeKey see [TimeKey]
  void put(Bytes timeKey) {
    store.put(timeKey, true);
    due.added(timeKey);
  }

  /// Takes out what was noted up to a time, in order of time and key.
  ///
  /// @return whether nothing of it is left
  boolean take(long latest, int budget, Visitor visitor) {
    return due.take(
        latest,
        budget,
        timeKey -> {
          store.delete(timeKey);
          visitor.note(TimeKey.rowKey(timeKey, new Bytes()), TimeKey.time(timeKey));
        });
  }
}

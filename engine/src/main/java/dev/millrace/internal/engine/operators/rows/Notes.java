package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.TimeKey;

/// Keys to look at when event time has come to a time: entries of a store whose keys are the time
/// and the key's bytes.
public final class Notes {
  private final KeyValueStore<Bytes, Boolean> store;
  private final DueEntries<Boolean> due;

  public Notes(KeyValueStore<Bytes, Boolean> store) {
    this.store = store;
    due = new DueEntries<>(store);
  }

  /// @param keys of the rows
  public static StoreSpec<Bytes, Boolean> spec(String name, Serde<Object> keys) {
    return KeyBytesSerde.afterTime(keys).spec(name, new Timers.Mark());
  }

  /// Is shown what was noted.
  @FunctionalInterface
  public interface Visitor {
    void note(Bytes key, long time);
  }

  /// @param timeKey see [TimeKey]
  public void put(Bytes timeKey) {
    store.put(timeKey, true);
    due.added(timeKey);
  }

  /// Takes out what was noted up to a time, in order of time and key.
  ///
  /// @return whether nothing of it is left
  public boolean take(long latest, int budget, Visitor visitor) {
    return due.take(
        latest,
        budget,
        timeKey -> {
          store.delete(timeKey);
          visitor.note(TimeKey.rowKey(timeKey, new Bytes()), TimeKey.time(timeKey));
        });
  }
}

package dev.millrace.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Timers in event time, kept as entries of a store whose keys are the time and the key's bytes:
/// setting one twice is setting it once. They fire in the order of time, then of the key's bytes.
final class Timers {
  private static final int READ_AT_ONCE = 64;

  private final KeyValueStore<Bytes, Boolean> store;
  private final DueEntries<Boolean> due;
  private final @Nullable Serde<Object> keySerde;
  private final TimeKey timeKey = new TimeKey();
  private final BytesWriter keyWriter = new BytesWriter(64);
  private final Bytes keyView = new Bytes();

  /// What is about to fire, in order; changed by timers that are set or cancelled meanwhile.
  private final ArrayDeque<Bytes> next = new ArrayDeque<>();

  /// @param keySerde null if keys are bytes
  Timers(KeyValueStore<Bytes, Boolean> store, @Nullable Serde<Object> keySerde) {
    this.store = store;
    this.keySerde = keySerde;
    due = new DueEntries<>(store);
  }

  /// Gets the timers that fire.
  interface Callback {
    /// A timer fires; it is no longer set.
    ///
    /// @param keyBytes those of `key`
    void fire(Bytes keyBytes, Object key, long timestamp);

    /// Whether one is to fire; if not, it is passed over.
    ///
    /// @param timer its time and key; see [TimeKey]
    boolean begins(Bytes timer);
  }

  void set(@Nullable Object key, long time) {
    Bytes entry = timeKey.of(time, bytes(key));
    store.put(entry, true);
    due.added(entry);
    if (!next.isEmpty() && entry.compareTo(next.getLast()) < 0) {
      due.added(next.getFirst());
      next.clear();
    }
  }

  void cancel(@Nullable Object key, long time) {
    Bytes entry = timeKey.of(time, bytes(key));
    store.delete(entry);
    next.remove(entry);
  }

  /// Fires what is due, also what its callbacks set that is due.
  ///
  /// @return whether everything due has fired
  boolean fire(long watermark, int budget, Callback callback) {
    int left = budget;
    while (left > 0) {
      readNext(watermark, Math.min(left, READ_AT_ONCE));
      if (next.isEmpty()) {
        return true;
      }
      while (!next.isEmpty()) {
        Bytes entry = next.removeFirst();
        boolean begins = callback.begins(entry);
        store.delete(entry);
        left--;
        if (!begins) {
          continue;
        }
        Bytes keyBytes = TimeKey.rowKey(entry, new Bytes());
        Object key = keySerde == null ? keyBytes : keySerde.read(keyBytes);
        callback.fire(keyBytes, key, TimeKey.time(entry));
      }
    }
    return due.walk(watermark, (_, _) -> false);
  }

  private void readNext(long watermark, int atMost) {
    due.walk(
        watermark,
        (entry, _) -> {
          boolean room = next.size() < atMost;
          if (room) {
            next.addLast(entry.copy());
          }
          return room;
        });
  }

  private Bytes bytes(@Nullable Object key) {
    if (key == null) {
      throw new IllegalArgumentException("A timer needs a key, and the record has none.");
    }
    if (keySerde == null) {
      return (Bytes) key;
    }
    keyWriter.clear();
    keySerde.write(key, keyWriter);
    return keyWriter.view(keyView, 0);
  }

  /// That a timer is set: one byte, since a value is never empty in a changelog.
  static final class Mark implements Serde<Boolean> {
    @Override
    public String id() {
      return "timer";
    }

    @Override
    public void write(Boolean set, BytesWriter out) {
      out.writeByte(1);
    }

    @Override
    public Boolean read(Bytes in) {
      if (in.length() != 1 || in.get(0) != 1) {
        throw new SerdeException("Found " + in + " where a timer has 01.");
      }
      return true;
    }
  }
}

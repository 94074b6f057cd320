package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.TimeKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Walks the entries of a store that begin with a [TimeKey], oldest first, and remembers where the
/// next one is: as long as it is not due, nothing is read, and what was taken is never walked over
/// again. This is all kept in memory; after a restart the first walk begins at the start of the
/// store, or where [#startAt] says.
///
/// @param <V> the values of the store
public final class DueEntries<V> {
  private final KeyValueStore<Bytes, V> store;

  /// No entry is below; null for not known.
  private @Nullable Bytes lowest;

  private boolean empty;

  public DueEntries(KeyValueStore<Bytes, V> store) {
    this.store = store;
  }

  /// Says that all entries below a key were taken.
  void startAt(Bytes from) {
    lowest = from.copy();
    empty = false;
  }

  /// The time of the first entry, or one before it; `Long.MAX_VALUE` if there is none.
  public long earliest() {
    return empty ? Long.MAX_VALUE : lowest == null ? Long.MIN_VALUE : TimeKey.time(lowest);
  }

  /// An entry was put.
  public void added(Bytes storeKey) {
    if (empty || (lowest != null && storeKey.compareTo(lowest) < 0)) {
      lowest = storeKey.copy();
      empty = false;
    }
  }

  /// Shows entries whose time is at most `latest`, in order. The visitor must not write to the
  /// store.
  ///
  /// @param visitor says whether it takes the entry; the next walk begins at the first that was not
  ///   taken
  /// @return whether every due entry was taken
  public boolean walk(long latest, KeyValueStore.Visitor<Bytes, V> visitor) {
    if (empty || (lowest != null && TimeKey.time(lowest) > latest)) {
      return true;
    }
    Walk walk = new Walk(latest, visitor);
    store.range(lowest, null, walk);
    lowest = walk.next;
    empty = walk.next == null;
    return !walk.stoppedEarly;
  }

  /// Takes entries whose time is at most `latest`, at most `budget` of them, and hands their keys
  /// over in order; the consumer may write to the store.
  ///
  /// @return whether every due entry was taken
  public boolean take(long latest, int budget, Consumer<Bytes> consumer) {
    List<Bytes> taken = new ArrayList<>();
    boolean done =
        walk(
            latest,
            (storeKey, _) -> {
              boolean room = taken.size() < budget;
              if (room) {
                // Keys may be read as views: a copy of their own for each.
                taken.add(storeKey.copy());
              }
              return room;
            });
    taken.forEach(consumer);
    return done;
  }

  private final class Walk implements KeyValueStore.Visitor<Bytes, V> {
    private final long latest;
    private final KeyValueStore.Visitor<Bytes, V> visitor;
    private @Nullable Bytes next;
    private boolean stoppedEarly;

    Walk(long latest, KeyValueStore.Visitor<Bytes, V> visitor) {
      this.latest = latest;
      this.visitor = visitor;
    }

    @Override
    public boolean entry(Bytes storeKey, V value) {
      boolean due = TimeKey.time(storeKey) <= latest;
      if (due && visitor.entry(storeKey, value)) {
        return true;
      }
      stoppedEarly = due;
      next = storeKey.copy();
      return false;
    }
  }
}

package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layers;
import dev.millrace.internal.state.layer.MergeRange;
import dev.millrace.internal.state.layer.SortedEntries;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The committed entries of a task's stores, for readers outside the task. Live and pending entries
/// are never returned or changed. Used by the task's thread, between two pieces of work.
public final class CommittedState {
  private final Layers layers;
  private final StoreTable stores;
  private final StoreContext context;
  private final BytesWriter writer = new BytesWriter();

  CommittedState(StoreContext context, StoreTable stores) {
    this.context = context;
    layers = context.layers();
    this.stores = stores;
  }

  /// An entry with copied bytes.
  public record Entry(Bytes key, Bytes value) {}

  /// Returns the value of a key, copied; null if it has none.
  ///
  /// @param key as the store's serde writes it
  /// @param nowMillis the time in the last commit record
  public @Nullable Bytes get(int store, Bytes key, long nowMillis) {
    Bytes full = full(store, key);
    if (!context.isOwn(full)) {
      return null;
    }
    Bytes found = layers.findCommitted(ByteTable.hash(full), full);
    return found == null ? null : stores.of(store).committedValue(full, found, nowMillis);
  }

  /// Returns the entries with `from <= key < to` in order, copied.
  ///
  /// @param to to the end of the store if null
  /// @throws IllegalStateException if the store is not declared with ranges
  public List<Entry> range(int store, Bytes from, @Nullable Bytes to, int atMost, long nowMillis) {
    CachedStore<?, ?> of = stores.of(store);
    of.requireRanges();
    List<Entry> entries = new ArrayList<>();
    Bytes low = full(store, from);
    Bytes high = to == null ? full(store + 1, new Bytes()) : full(store, to);
    if (low.compareTo(high) >= 0) {
      return entries;
    }
    MergeRange range = layers.openCommittedRange(low, high);
    try {
      while (entries.size() < atMost && range.next()) {
        SortedEntries at = range.current();
        if (!context.isOwn(at.key())) {
          continue;
        }
        Bytes encoded = Objects.requireNonNull(at.encoded());
        Bytes value = of.committedValue(at.key(), encoded, nowMillis);
        if (value != null) {
          entries.add(new Entry(StoreTable.withoutNumber(at.key()).copy(), value));
        }
      }
    } finally {
      layers.closeRange(range);
    }
    return entries;
  }

  private Bytes full(int store, Bytes key) {
    writer.clear();
    writer.writeShort(store);
    writer.write(key);
    return Bytes.of(writer.toByteArray());
  }
}

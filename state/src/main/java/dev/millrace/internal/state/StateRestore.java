package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layer;
import dev.millrace.internal.state.layer.Layers;
import dev.millrace.internal.state.layer.RestoreBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Takes entries of the changelog into the committed layer of a task's state. Where they are many,
/// they are only gathered, and go to the disk in sorted runs.
public final class StateRestore {
  private static final int USUAL_ENTRY_BYTES = 256;

  private final StoreContext context;
  private final ObjectCache cache;
  private final Layers layers;
  private final StoreTable stores;
  private final BooleanSupplier changed;
  private RestoreBuffer gathered = new RestoreBuffer();
  private boolean inBulk;

  /// @param changed whether anything is live or pending
  StateRestore(StoreContext context, StoreTable stores, BooleanSupplier changed) {
    this.context = context;
    cache = context.cache();
    layers = context.layers();
    this.stores = stores;
    this.changed = changed;
  }

  /// Takes an entry of the changelog into the committed layer.
  ///
  /// @param value null deletes the key
  /// @throws IllegalArgumentException if the key is of no store of the task
  /// @throws IllegalStateException if anything is live or pending
  public void restore(Bytes changelogKey, @Nullable Bytes value) {
    layers.requireNoVisitor("restore");
    if (changed.getAsBoolean()) {
      throw new IllegalStateException(
          "Task %s cannot be restored while it has changes of its own.".formatted(context.task()));
    }
    boolean ordered = stores.isOrdered(changelogKey);
    if (inBulk) {
      gathered.add(changelogKey, value);
      return;
    }
    if (cache.count() > 0) {
      cache.clear();
    }
    int hash = ByteTable.hash(changelogKey);
    Layer committed = layers.committed();
    if (value == null) {
      committed.delete(hash, changelogKey, ordered);
    } else {
      committed.put(hash, changelogKey, ordered, value.array(), value.offset(), value.length());
    }
  }

  /// If so many entries will be restored that memory would not hold them, they are only gathered
  /// from now on and go to the disk in sorted runs; nothing may be read before [#endBulk] then.
  /// Does nothing if something is committed and not on disk yet.
  public void beginBulk(long entries) {
    boolean many = entries > context.limits().committedShareBytes() / USUAL_ENTRY_BYTES;
    if (many && !layers.hasCommitted()) {
      cache.clear();
      inBulk = true;
    }
  }

  /// Whether what is restored is only gathered.
  public boolean inBulk() {
    return inBulk;
  }

  /// @throws IllegalStateException if what is restored is only gathered
  void requireNoBulk() {
    if (inBulk) {
      throw new IllegalStateException(
          "Task " + context.task() + " is still being restored in bulk.");
    }
  }

  /// Makes what was gathered since [#beginBulk], and not flushed, part of what is committed.
  public void endBulk() {
    inBulk = false;
    Bytes key = new Bytes();
    Bytes value = new Bytes();
    for (int entry = 0; entry < gathered.count(); entry++) {
      restore(gathered.key(entry, key), gathered.value(entry, value));
    }
    // Its arrays are as large as a share, and nothing will arrive for long.
    gathered = new RestoreBuffer();
  }

  /// Writes what was gathered to the disk.
  ///
  /// @param position that this reaches
  void flush(byte[] position) {
    layers.disk().ingest(gathered.sortedRun(), position);
    gathered.clear();
  }

  /// Returns the memory of what was gathered.
  long bytes() {
    return gathered.bytes();
  }

  /// Returns what the memory of what was gathered takes, filled or not.
  long allocatedBytes() {
    return gathered.allocatedBytes();
  }
}

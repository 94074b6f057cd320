package dev.millrace.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What lies below the cache, encoded: pending, committed, disk.
final class Layers {
  private final String task;
  private final Disk disk;
  private final Bytes value = new Bytes();
  private final Layer wanted = new Layer();
  private Bytes[] wantedKeys = {};
  private Layer pending = new Layer();
  private Layer committed = new Layer();
  private int visitors;
  private long diskReads;

  Layers(String task, Disk disk) {
    this.task = task;
    this.disk = disk;
  }

  Disk disk() {
    return disk;
  }

  Layer pending() {
    return pending;
  }

  Layer committed() {
    return committed;
  }

  /// How many keys were looked up on disk.
  long diskReads() {
    return diskReads;
  }

  /// The value of a key; null if it has none. Valid until the next call of anything here.
  @Nullable Bytes find(int hash, Bytes key) {
    int entry = pending.find(hash, key);
    if (entry != ByteTable.NONE) {
      return pending.value(entry, value);
    }
    entry = committed.find(hash, key);
    if (entry != ByteTable.NONE) {
      return committed.value(entry, value);
    }
    diskReads++;
    byte[] found = disk.get(key);
    return found == null ? null : value.set(found, 0, found.length);
  }

  /// The committed value of a key; null if it has none. Valid until the next call of anything here.
  @Nullable Bytes findCommitted(int hash, Bytes key) {
    int entry = committed.find(hash, key);
    if (entry != ByteTable.NONE) {
      return committed.value(entry, value);
    }
    byte[] found = disk.get(key);
    return found == null ? null : value.set(found, 0, found.length);
  }

  /// Notes a key for [#loadWanted] unless it is in memory.
  void want(int hash, Bytes key) {
    if (pending.find(hash, key) == ByteTable.NONE && committed.find(hash, key) == ByteTable.NONE) {
      wanted.delete(hash, key, false);
    }
  }

  /// Takes what was found on disk.
  @FunctionalInterface
  interface Loaded {
    void loaded(int hash, Bytes key, @Nullable Bytes found);
  }

  /// Reads the keys noted by [#want] from the disk in one go and in their order, which spares the
  /// disk the way from one end to the other, and forgets them.
  ///
  /// @return how many
  int loadWanted(Loaded loaded) {
    int count = wanted.count();
    if (count == 0) {
      return 0;
    }
    try {
      int[] entries = wanted.sorted();
      if (wantedKeys.length < count) {
        wantedKeys = new Bytes[2 * count];
        Arrays.setAll(wantedKeys, i -> new Bytes());
      }
      for (int i = 0; i < count; i++) {
        wanted.key(entries[i], wantedKeys[i]);
      }
      diskReads += count;
      byte[] @Nullable [] found = disk.multiGet(wantedKeys, count);
      for (int i = 0; i < count; i++) {
        byte[] one = found[i];
        Bytes encoded = one == null ? null : value.set(one, 0, one.length);
        loaded.loaded(wanted.hash(entries[i]), wantedKeys[i], encoded);
      }
      return count;
    } finally {
      wanted.clear();
    }
  }

  /// Makes what is pending committed.
  ///
  /// @param stores tells which keys are read in ranges
  void acknowledge(StoreTable stores) {
    if (committed.count() == 0) {
      Layer empty = committed;
      committed = pending;
      pending = empty;
    } else {
      committed.putAll(pending, key -> stores.of(key).ordered());
    }
    pending.clear();
  }

  /// Writes the whole committed layer to the disk; if the disk refuses, nothing has changed.
  void flush(byte[] position) {
    disk.ingest(committed.sortedRun(), position);
    committed.clear();
  }

  /// Opens a view of entries in order, from all layers. Until it is closed nothing may change.
  ///
  /// @param from with the store's number
  /// @param to above `from`
  MergeRange openRange(ObjectCache cache, Bytes from, Bytes to) {
    List<Run> runs = new ArrayList<>();
    cache.addRuns(runs, from, to);
    pending.addRuns(runs, 1, from, to);
    committed.addRuns(runs, 2, from, to);
    runs.add(new Run.OnDisk(disk.range(from, to)));
    beginVisit();
    return new MergeRange(runs);
  }

  /// Opens a view of what is committed, in order; see [#openRange].
  MergeRange openCommittedRange(Bytes from, Bytes to) {
    List<Run> runs = new ArrayList<>();
    committed.addRuns(runs, 2, from, to);
    runs.add(new Run.OnDisk(disk.range(from, to)));
    beginVisit();
    return new MergeRange(runs);
  }

  void closeRange(MergeRange range) {
    endVisit();
    range.close();
  }

  /// Until [#endVisit] a visitor looks at entries, and nothing may change.
  void beginVisit() {
    visitors++;
  }

  void endVisit() {
    visitors--;
  }

  /// Refuses to change anything while a visitor looks at entries.
  void requireNoVisitor(String what) {
    if (visitors > 0) {
      throw new IllegalStateException(
          "A visitor must not change the stores of task %s, but one tried to %s."
              .formatted(task, what));
    }
  }
}

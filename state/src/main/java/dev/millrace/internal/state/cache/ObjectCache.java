package dev.millrace.internal.state.cache;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.SortedEntries;
import dev.millrace.internal.state.layer.SortedIndex;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A write-back cache of decoded values by changelog key, for all stores of a task.
///
/// An entry is clean (it equals what lies below) or dirty (live: changed since the last commit). A
/// null value says that the key has none: a clean entry then saves a search, a dirty one is a
/// deletion to be written. A commit freezes all dirty entries at once, which touches none of them,
/// and thaws them one by one: a thawed entry is clean. Dirty and frozen entries stay; when the
/// estimated memory exceeds the budget, clean ones are dropped in the order in which they became
/// clean, those used since their last turn being spared once (second chance). An entry has at most
/// one place in that queue and keeps it while it is dirty, so that work on a hot key touches no
/// list.
///
/// A value is an object beside its row, or as bytes in it ([CacheRows#SMALL_VALUE_BYTES] at most);
/// all values of a store are kept in one of the two ways.
///
/// Memory is an estimate: [#ENTRY_BYTES] an entry, a long key, and for an object [#VALUE_BYTES] and
/// twice its encoded size, the last one known or the store's average.
public final class ObjectCache extends ByteTable {
  /// The row, its share of the slots, its places in the lists.
  static final int ENTRY_BYTES = CacheRows.ROW_BYTES + 32;

  /// Header, alignment and reference of a value that is an object.
  static final int VALUE_BYTES = 28;

  /// Stands for a value that is kept as bytes.
  public enum Small {
    VALUE
  }

  private static final int LEAST_ENTRIES = 16;

  /// How many entries are asked for side by side.
  private static final int TOUCHED = 128;

  /// The number of entries that the processor's caches hold without prefetching.
  private static final int SMALL_COUNT = 4_096;

  /// The two take turns: one says that an entry is dirty, the other that it is frozen.
  private static final int DIRTY = 1;

  private static final int DIRTY_TOO = 32;
  private static final int USED = 2;
  private static final int QUEUED = 4;

  /// There is a value.
  private static final int THERE = 8;

  /// It is in the row.
  private static final int IN_ROW = 16;

  private final CacheBudget budget;
  private final SortedIndex liveIndex = new SortedIndex(this);
  private final CacheRows rows = new CacheRows();

  /// The expiry of clean entries; empty as long as no store has a time to live.
  private long[] expiries = {};

  private int end;
  private int firstFree = NONE;

  private int dirtyFlag = DIRTY;
  private int[] dirty = new int[LEAST_ENTRIES];
  private int dirtyCount;

  /// Entries that were dirty when the last commit began; entries that were thawed since are
  /// skipped.
  private int[] frozen = new int[LEAST_ENTRIES];

  private int frozenCount;
  private int frozenNext;

  /// Those that are dropped if memory is needed, the next one first.
  private final EntryQueue queue = new EntryQueue();

  private long bytes;
  private long dirtyBytes;
  private long frozenBytes;
  private long evictions;
  private long hits;
  private long misses;

  public ObjectCache(CacheBudget budget) {
    this.budget = budget;
  }

  @Override
  public byte[] keyArray(int entry) {
    return rows.keyArray(entry);
  }

  @Override
  public int keyOffset(int entry) {
    return rows.keyOffset(entry);
  }

  @Override
  public int keyLength(int entry) {
    return rows.keyLength(entry);
  }

  /// Moves `view` over the key of an entry.
  public Bytes key(int entry, Bytes view) {
    return view.set(rows.keyArray(entry), rows.keyOffset(entry), rows.keyLength(entry));
  }

  public int hash(int entry) {
    return rows.hash(entry);
  }

  /// Returns whether the key has a value.
  public boolean isThere(int entry) {
    return has(entry, THERE);
  }

  /// Returns the value of an entry if it is an object.
  public @Nullable Object object(int entry) {
    return rows.object(entry);
  }

  /// Moves `view` over the value of an entry that is kept as bytes.
  public Bytes small(int entry, int length, Bytes view) {
    return rows.small(entry, length, view);
  }

  /// Sets the bytes of an entry whose value is [Small#VALUE].
  public void small(int entry, byte[] from, int offset, int length) {
    rows.small(entry, from, offset, length);
  }

  private boolean has(int entry, int flag) {
    return (rows.flags(entry) & flag) != 0;
  }

  public boolean isDirty(int entry) {
    return has(entry, dirtyFlag);
  }

  public boolean isFrozen(int entry) {
    return has(entry, dirtyFlag ^ (DIRTY | DIRTY_TOO));
  }

  public boolean isClean(int entry) {
    return !has(entry, DIRTY | DIRTY_TOO);
  }

  /// Returns whether an entry is live, was asked for since, and has a value in its row: another one
  /// put there changes nothing else.
  public boolean isLiveInRow(int entry) {
    int all = dirtyFlag | USED | THERE | IN_ROW;
    return (rows.flags(entry) & all) == all;
  }

  /// Returns whether the value of a clean entry has expired; only for stores whose values do.
  public boolean isExpired(int entry, long nowMillis) {
    return expiries[entry] <= nowMillis;
  }

  /// Sets the time when the value of an entry expires.
  public void expiry(int entry, long millis) {
    if (entry >= expiries.length) {
      expiries = Arrays.copyOf(expiries, rows.capacity());
    }
    expiries[entry] = millis;
  }

  /// Spares an entry from the next eviction, as if it had been read.
  public void spare(int entry) {
    if (!has(entry, USED)) {
      rows.setFlags(entry, USED);
    }
  }

  /// Counts a read of this entry, and spares it from the next eviction.
  public void hit(int entry) {
    hits++;
    spare(entry);
  }

  /// Counts a read of a key without an entry.
  public void missed() {
    misses++;
  }

  /// Returns whether an entry is there and is that of a key of which the first two bytes do not lie
  /// before the others.
  ///
  /// @param entry any number
  /// @param prefix the two bytes, the higher one first
  public boolean holds(int entry, int prefix, Bytes key) {
    return entry >= 0 && entry < end && hasKey(entry, prefix, key);
  }

  /// Adds a clean entry for a key that has none; [#evict] is the caller's.
  ///
  /// @param value an object, [Small#VALUE], or null if the key has no value
  public int addClean(int hash, Bytes key, @Nullable Object value, int size) {
    int entry = add(hash, key, value, size);
    enqueue(entry);
    return entry;
  }

  /// Adds a dirty entry for a key that has none.
  public int addDirty(int hash, Bytes key, boolean ordered, @Nullable Object value, int size) {
    int entry = add(hash, key, value, size);
    becomeDirty(entry, ordered);
    return entry;
  }

  /// Changes the value of an entry that is not frozen, and makes it dirty.
  ///
  /// @param size the encoded size, or -1 to believe that it is still about what it was
  /// @param usualSize what to believe if there was no value
  public void change(int entry, boolean ordered, @Nullable Object value, int size, int usualSize) {
    assert !isFrozen(entry);
    boolean was = isThere(entry);
    if (size >= 0 || was == (value == null)) {
      long before = valueCost(entry);
      set(entry, value);
      rows.size(entry, size >= 0 ? size : usualSize);
      costs(entry, valueCost(entry) - before);
    } else {
      set(entry, value);
    }
    if (isDirty(entry)) {
      spare(entry);
    } else {
      becomeDirty(entry, ordered);
    }
  }

  private void set(int entry, @Nullable Object value) {
    if (value instanceof Small) {
      rows.setFlags(entry, THERE | IN_ROW);
    } else if (value == null) {
      rows.clearFlags(entry, THERE | IN_ROW);
      rows.object(entry, null);
    } else {
      rows.setFlags(entry, THERE);
      rows.object(entry, value);
    }
  }

  private void costs(int entry, long change) {
    bytes += change;
    if (isDirty(entry)) {
      dirtyBytes += change;
    } else if (isFrozen(entry)) {
      frozenBytes += change;
    }
  }

  public int dirtyCount() {
    return dirtyCount;
  }

  /// Freezes all dirty entries. No entry may be frozen before.
  public void freeze() {
    assert frozenBytes == 0;
    int[] emptied = frozen;
    frozen = dirty;
    frozenCount = dirtyCount;
    frozenNext = 0;
    frozenBytes = dirtyBytes;
    dirty = emptied;
    dirtyCount = 0;
    dirtyBytes = 0;
    dirtyFlag ^= DIRTY | DIRTY_TOO;
    liveIndex.clear();
  }

  /// Returns the next frozen entry to thaw, in the order in which they became dirty; [#NONE] if
  /// there is none.
  public int nextFrozen() {
    for (; frozenNext < frozenCount; frozenNext++) {
      if (frozenNext % TOUCHED == 0) {
        int to = Math.min(frozenNext + TOUCHED, frozenCount);
        rows.touch(frozen, frozenNext, to);
        rows.touchObjects(frozen, frozenNext, to);
      }
      if (isFrozen(frozen[frozenNext])) {
        return frozen[frozenNext];
      }
    }
    return NONE;
  }

  /// Makes a frozen entry clean: it equals the value of the layers below from now on.
  public void thaw(int entry) {
    frozenBytes -= cost(entry);
    rows.clearFlags(entry, DIRTY | DIRTY_TOO);
    if (!has(entry, QUEUED)) {
      enqueue(entry);
    }
  }

  /// Returns the dirty entries, in the order in which they became so: as many as [#dirtyCount].
  public int dirty(int index) {
    return dirty[index];
  }

  /// Sets a dirty entry to the value of the layers below, for [#clean].
  ///
  /// @param value as for [#addClean]
  public void revert(int entry, @Nullable Object value, int size) {
    long before = valueCost(entry);
    set(entry, value);
    rows.size(entry, size);
    costs(entry, valueCost(entry) - before);
  }

  /// Makes all dirty entries clean: they equal the values of the layers below from now on.
  public void clean() {
    for (int i = 0; i < dirtyCount; i++) {
      rows.clearFlags(dirty[i], dirtyFlag);
      if (!has(dirty[i], QUEUED)) {
        enqueue(dirty[i]);
      }
    }
    dirtyCount = 0;
    dirtyBytes = 0;
    liveIndex.clear();
  }

  /// Adds the dirty entries between two keys of a store with ranges to the parts of a range.
  public void addRange(List<SortedEntries> into, Bytes from, Bytes to) {
    liveIndex.addRange(into, from, to, (run, at, end) -> new LiveEntries(this, run, at, end));
  }

  /// Returns the number after the largest number of an entry.
  int end() {
    return end;
  }

  /// Records the size of a value when it was encoded.
  public void measured(int entry, int size) {
    long before = valueCost(entry);
    rows.size(entry, size);
    costs(entry, valueCost(entry) - before);
  }

  /// Returns whether there is so much here that [#touch] pays.
  public boolean isLarge() {
    return count() > SMALL_COUNT;
  }

  /// Prefetches entries with these hashes, which are about to be searched for.
  ///
  /// @param entries is used
  void touch(int[] hashes, int count, int[] entries) {
    touchSlots(hashes, count, entries);
    rows.touch(entries, 0, count);
    rows.touchObjects(entries, 0, count);
  }

  /// Drops clean entries until the memory is within the budget or no entry is clean.
  public void evict() {
    while (bytes > budget.bytes() && !queue.isEmpty()) {
      int entry = queue.remove();
      rows.clearFlags(entry, QUEUED);
      if (isClean(entry)) {
        if (has(entry, USED)) {
          rows.clearFlags(entry, USED);
          enqueue(entry);
        } else {
          remove(entry);
        }
      }
    }
  }

  /// Returns whether the rows have room for much more than a budget that was lowered.
  public boolean isOversized() {
    return budget.isOutgrown((long) rows.capacity() * ENTRY_BYTES);
  }

  /// Drops all entries, also dirty ones, and releases their memory.
  public void clear() {
    unlinkAll(budget.takeLowered());
    rows.clear();
    expiries = new long[0];
    end = 0;
    firstFree = NONE;
    dirty = new int[LEAST_ENTRIES];
    dirtyCount = 0;
    frozen = new int[LEAST_ENTRIES];
    frozenCount = 0;
    frozenNext = 0;
    queue.clear();
    bytes = 0;
    dirtyBytes = 0;
    frozenBytes = 0;
    liveIndex.clear();
  }

  /// Returns the estimated memory of all entries.
  public long bytes() {
    return bytes;
  }

  /// Returns the estimated memory of the dirty entries.
  public long dirtyBytes() {
    return dirtyBytes;
  }

  /// Returns the estimated memory of the frozen entries.
  public long frozenBytes() {
    return frozenBytes;
  }

  /// Returns how often [#hit] was called.
  public long hits() {
    return hits;
  }

  /// Returns how often [#missed] was called.
  public long misses() {
    return misses;
  }

  /// Returns how many entries were dropped for want of room.
  public long evictions() {
    return evictions;
  }

  private int add(int hash, Bytes key, @Nullable Object value, int size) {
    int entry = firstFree;
    if (entry != NONE) {
      firstFree = rows.size(entry);
    } else {
      if (end == rows.capacity()) {
        rows.grow();
      }
      entry = end++;
    }
    assert rows.flags(entry) == 0;
    rows.begin(entry, hash, key);
    set(entry, value);
    rows.size(entry, size);
    bytes += cost(entry);
    link(hash, entry);
    return entry;
  }

  private void remove(int entry) {
    bytes -= cost(entry);
    evictions++;
    unlink(rows.hash(entry), entry);
    rows.end(entry);
    // Of a free entry: the next free one.
    rows.size(entry, firstFree);
    firstFree = entry;
  }

  private void becomeDirty(int entry, boolean ordered) {
    rows.setFlags(entry, dirtyFlag);
    if (dirtyCount == dirty.length) {
      dirty = Arrays.copyOf(dirty, dirtyCount * 2);
    }
    dirty[dirtyCount++] = entry;
    dirtyBytes += cost(entry);
    if (ordered) {
      liveIndex.add(entry);
    }
  }

  private void enqueue(int entry) {
    queue.add(entry);
    rows.setFlags(entry, QUEUED);
  }

  /// Returns the estimated memory of an entry.
  private long cost(int entry) {
    return ENTRY_BYTES + rows.extraKeyBytes(entry) + valueCost(entry);
  }

  private long valueCost(int entry) {
    boolean object = (rows.flags(entry) & (THERE | IN_ROW)) == THERE;
    return object ? VALUE_BYTES + 2L * rows.size(entry) : 0;
  }
}

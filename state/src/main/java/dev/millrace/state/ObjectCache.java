package dev.millrace.state;

import dev.millrace.api.serde.Bytes;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decoded values by changelog key: a write-back cache for all stores of a task.
///
/// An entry is clean (it equals what lies below) or dirty (live: changed since the last commit). A
/// null value says that the key has none: a clean entry then saves a search, a dirty one is a
/// deletion to be written. Dirty entries stay; when the estimated memory exceeds the budget, clean
/// ones are dropped in the order in which they became clean, those used since their last turn being
/// spared once (second chance). An entry has at most one place in that queue and keeps it while it
/// is dirty, so that work on a hot key touches no list.
///
/// Memory is an estimate: [#ENTRY_BYTES] an entry, its key, and for a value [#VALUE_BYTES] and
/// twice its encoded size, the last one known or the store's average.
final class ObjectCache extends ByteTable {
  /// References, numbers, share of the slots, header of the key array.
  static final int ENTRY_BYTES = 72;

  /// Header and alignment of a value.
  static final int VALUE_BYTES = 24;

  private static final int LEAST_ENTRIES = 16;
  private static final byte[] NO_KEY = {};
  private static final byte DIRTY = 1;
  private static final byte USED = 2;
  private static final byte QUEUED = 4;

  private final long budgetBytes;
  private final SortedIndex liveIndex = new SortedIndex(this);

  private byte[][] keys = new byte[LEAST_ENTRIES][];
  private @Nullable Object[] values = new @Nullable Object[LEAST_ENTRIES];
  private int[] hashes = new int[LEAST_ENTRIES];

  /// Encoded size of the value. Of a free entry: the next free one.
  private int[] sizes = new int[LEAST_ENTRIES];

  private byte[] flags = new byte[LEAST_ENTRIES];

  /// When the value of a clean entry expires. As long as no store asks for it there is none.
  private long[] expiries = {};

  private int end;
  private int firstFree = NONE;

  private int[] dirty = new int[LEAST_ENTRIES];
  private int dirtyCount;

  private int[] queue = new int[LEAST_ENTRIES];
  private int queueHead;
  private int queueCount;

  private long bytes;
  private long dirtyBytes;
  private long evictions;

  ObjectCache(long budgetBytes) {
    this.budgetBytes = budgetBytes;
  }

  @Override
  public byte[] keyArray(int entry) {
    return keys[entry];
  }

  @Override
  public int keyOffset(int entry) {
    return 0;
  }

  @Override
  public int keyLength(int entry) {
    return keys[entry].length;
  }

  /// Moves `view` over the key of an entry.
  Bytes key(int entry, Bytes view) {
    return view.set(keys[entry], 0, keys[entry].length);
  }

  int hash(int entry) {
    return hashes[entry];
  }

  @Nullable Object value(int entry) {
    return values[entry];
  }

  boolean isDirty(int entry) {
    return (flags[entry] & DIRTY) != 0;
  }

  /// Whether the value of a clean entry has expired; only for stores whose values do.
  boolean isExpired(int entry, long nowMillis) {
    return expiries[entry] <= nowMillis;
  }

  /// Says when the value of an entry expires.
  void expiry(int entry, long millis) {
    if (entry >= expiries.length) {
      expiries = Arrays.copyOf(expiries, keys.length);
    }
    expiries[entry] = millis;
  }

  /// Spares an entry once, as if it had been asked for.
  void spare(int entry) {
    flags[entry] |= USED;
  }

  /// The value of an entry that was asked for.
  @Nullable Object use(int entry) {
    if ((flags[entry] & USED) == 0) {
      flags[entry] |= USED;
    }
    return values[entry];
  }

  /// Adds a clean entry for a key that has none; [#evict] is the caller's.
  int addClean(int hash, Bytes key, @Nullable Object value, int size) {
    int entry = add(hash, key);
    values[entry] = value;
    sizes[entry] = size;
    bytes += cost(entry);
    enqueue(entry);
    return entry;
  }

  /// Adds a dirty entry for a key that has none.
  int addDirty(int hash, Bytes key, boolean ordered, @Nullable Object value, int size) {
    int entry = add(hash, key);
    values[entry] = value;
    sizes[entry] = size;
    bytes += cost(entry);
    becomeDirty(entry, ordered);
    return entry;
  }

  /// Changes the value of an entry, which is dirty from then on.
  ///
  /// @param size the encoded size, or -1 to believe that it is still about what it was
  /// @param usualSize what to believe if there was no value
  void change(int entry, boolean ordered, @Nullable Object value, int size, int usualSize) {
    Object old = values[entry];
    values[entry] = value;
    if (size >= 0 || old == null != (value == null)) {
      int newSize = size >= 0 ? size : usualSize;
      long change = cost(values[entry], newSize) - cost(old, sizes[entry]);
      sizes[entry] = newSize;
      bytes += change;
      if (isDirty(entry)) {
        dirtyBytes += change;
      }
    }
    if (isDirty(entry)) {
      flags[entry] |= USED;
    } else {
      becomeDirty(entry, ordered);
    }
  }

  int dirtyCount() {
    return dirtyCount;
  }

  /// The dirty entries in the order in which they became dirty.
  int dirty(int index) {
    return dirty[index];
  }

  /// Adds the dirty entries between two keys of a store with ranges to the runs of a range.
  void addRuns(List<Run> into, Bytes from, Bytes to) {
    liveIndex.addRuns(into, from, to, (run, at, end) -> new Run.Live(this, run, at, end));
  }

  /// The entries have numbers below this.
  int end() {
    return end;
  }

  /// Says how large a value was when it was encoded.
  void measured(int entry, int size) {
    long change = cost(values[entry], size) - cost(values[entry], sizes[entry]);
    sizes[entry] = size;
    bytes += change;
    if (isDirty(entry)) {
      dirtyBytes += change;
    }
  }

  /// All dirty entries now equal what lies below.
  void becomeClean() {
    for (int i = 0; i < dirtyCount; i++) {
      int entry = dirty[i];
      flags[entry] &= ~DIRTY;
      if ((flags[entry] & QUEUED) == 0) {
        enqueue(entry);
      }
    }
    dirtyCount = 0;
    dirtyBytes = 0;
    liveIndex.clear();
    evict();
  }

  /// Drops clean entries until the rest is within the budget or dirty.
  void evict() {
    while (bytes > budgetBytes && queueCount > 0) {
      int entry = queue[queueHead];
      queueHead = queueHead + 1 & queue.length - 1;
      queueCount--;
      flags[entry] &= ~QUEUED;
      if ((flags[entry] & DIRTY) == 0) {
        if ((flags[entry] & USED) == 0) {
          remove(entry);
        } else {
          flags[entry] &= ~USED;
          enqueue(entry);
        }
      }
    }
  }

  /// Drops everything, dirty or not, and the memory with it.
  void clear() {
    unlinkAll();
    keys = new byte[LEAST_ENTRIES][];
    values = new @Nullable Object[LEAST_ENTRIES];
    hashes = new int[LEAST_ENTRIES];
    sizes = new int[LEAST_ENTRIES];
    flags = new byte[LEAST_ENTRIES];
    expiries = new long[0];
    end = 0;
    firstFree = NONE;
    dirty = new int[LEAST_ENTRIES];
    dirtyCount = 0;
    queue = new int[LEAST_ENTRIES];
    queueHead = 0;
    queueCount = 0;
    bytes = 0;
    dirtyBytes = 0;
    liveIndex.clear();
  }

  /// The estimated memory of all entries.
  long bytes() {
    return bytes;
  }

  /// The estimated memory of the dirty entries.
  long dirtyBytes() {
    return dirtyBytes;
  }

  /// How many entries were dropped for want of room.
  long evictions() {
    return evictions;
  }

  private int add(int hash, Bytes key) {
    int entry = firstFree;
    if (entry != NONE) {
      firstFree = sizes[entry];
    } else {
      if (end == keys.length) {
        grow();
      }
      entry = end++;
    }
    keys[entry] = key.toByteArray();
    hashes[entry] = hash;
    assert flags[entry] == 0;
    link(hash, entry);
    return entry;
  }

  private void remove(int entry) {
    bytes -= cost(entry);
    evictions++;
    unlink(hashes[entry], entry);
    keys[entry] = NO_KEY;
    values[entry] = null;
    sizes[entry] = firstFree;
    firstFree = entry;
  }

  private void becomeDirty(int entry, boolean ordered) {
    flags[entry] |= DIRTY;
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
    if (queueCount == queue.length) {
      int[] longer = new int[queueCount * 2];
      int untilWrap = queueCount - queueHead;
      System.arraycopy(queue, queueHead, longer, 0, untilWrap);
      System.arraycopy(queue, 0, longer, untilWrap, queueHead);
      queue = longer;
      queueHead = 0;
    }
    queue[queueHead + queueCount & queue.length - 1] = entry;
    queueCount++;
    flags[entry] |= QUEUED;
  }

  /// What an entry counts for.
  private long cost(int entry) {
    return ENTRY_BYTES + keys[entry].length + cost(values[entry], sizes[entry]);
  }

  private static long cost(@Nullable Object value, int size) {
    return value == null ? 0 : VALUE_BYTES + 2L * size;
  }

  private void grow() {
    int capacity = keys.length * 2;
    byte[][] moreKeys = new byte[capacity][];
    System.arraycopy(keys, 0, moreKeys, 0, end);
    keys = moreKeys;
    values = Arrays.copyOf(values, capacity);
    hashes = Arrays.copyOf(hashes, capacity);
    sizes = Arrays.copyOf(sizes, capacity);
    flags = Arrays.copyOf(flags, capacity);
  }
}

package dev.millrace.internal.state.layer;

import dev.millrace.api.serde.Bytes;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A layer of encoded entries by changelog key, exactly as they are written to the changelog; the
/// last entry of a key is the valid one.
///
/// A value that fits into the place of the key's last one overwrites it, so a counter that changes
/// with every commit takes its bytes once. A value that does not fit gets a place with room to
/// grow, so that the abandoned bytes stay in proportion. Entries of stores with ranges are also in
/// an index in order.
public final class Layer extends ByteTable implements EncodedEntries {
  /// The overhead of an entry: its numbers and its share of the slots.
  private static final int ENTRY_BYTES = 56;

  /// Of these, the numbers.
  private static final int ROW_BYTES = 32;

  private static final int LEAST_ENTRIES = 16;

  /// The length of a value that is not there.
  private static final int DELETED = -1;

  private static final Bytes DELETION = new Bytes();

  // What a row of numbers holds: they lie together, as they are used together.
  private static final int KEY_PLACE = 0;
  private static final int VALUE_PLACE = 1;

  /// Of the key above, of the value below.
  private static final int LENGTHS = 2;

  /// The hash of the key above, the room of the value below.
  private static final int HASH_AND_ROOM = 3;

  private static final int ROW = ROW_BYTES / Long.BYTES;

  /// How many entries are asked for side by side.
  private static final int TOUCHED = 128;

  /// Rows of one array.
  private static final int CHUNK_BITS = 12;

  private static final int CHUNK = 1 << CHUNK_BITS;

  private final ArrayPool shared;
  private final Arena arena;
  private final SortedIndex index = new SortedIndex(this);
  private final int[] hashesTouched = new int[TOUCHED];
  private final int[] entriesTouched = new int[TOUCHED];
  private long[][] rows = {new long[LEAST_ENTRIES * ROW]};

  /// How many entries the rows have room for.
  private int room = LEAST_ENTRIES;

  private int entries;

  /// Written so that the JVM does not remove the prefetching reads; never read.
  @SuppressWarnings("UnusedVariable")
  private int touched;

  /// How many entries can be found. The rest is made known when somebody looks for anything, which
  /// nobody does as long as all that is changed stays in the cache.
  private int linked;

  /// @param shared where large arrays are taken from
  public Layer(ArrayPool shared) {
    this.shared = shared;
    arena = new Arena(shared);
  }

  private long field(int entry, int field) {
    return rows[entry >>> CHUNK_BITS][(entry & CHUNK - 1) * ROW + field];
  }

  private void field(int entry, int field, long value) {
    rows[entry >>> CHUNK_BITS][(entry & CHUNK - 1) * ROW + field] = value;
  }

  @Override
  public byte[] keyArray(int entry) {
    return arena.array(field(entry, KEY_PLACE));
  }

  @Override
  public int keyOffset(int entry) {
    return Arena.offset(field(entry, KEY_PLACE));
  }

  @Override
  public int keyLength(int entry) {
    return (int) (field(entry, LENGTHS) >>> 32);
  }

  private int valueLength(int entry) {
    return (int) field(entry, LENGTHS);
  }

  private void valueLength(int entry, int length) {
    field(entry, LENGTHS, (long) keyLength(entry) << 32 | length & 0xFFFF_FFFFL);
  }

  @Override
  public int count() {
    return entries;
  }

  @Override
  public int find(int hash, Bytes key) {
    makeKnown(Integer.MAX_VALUE);
    return super.find(hash, key);
  }

  /// Returns the value of a key, moved under `view`; what [#isDeletion] knows if the key was
  /// deleted; null if the key has no entry here.
  @Nullable Bytes get(int hash, Bytes key, Bytes view) {
    int entry = entries == 0 ? NONE : find(hash, key);
    if (entry == NONE) {
      return null;
    }
    Bytes found = value(entry, view);
    return found == null ? DELETION : found;
  }

  /// Returns whether what [#get] returned stands for a deletion.
  @SuppressWarnings("ReferenceEquality") // a value without bytes is none
  static boolean isDeletion(Bytes found) {
    return found == DELETION;
  }

  /// Indexes the next entries that cannot be found yet, so that a search does not have to wait for
  /// all of them.
  ///
  /// @param atMost how many
  /// @return whether there were any
  boolean makeKnown(int atMost) {
    if (linked == entries) {
      return false;
    }
    reserveSlots(entries);
    for (int to = entries - linked <= atMost ? entries : linked + atMost; linked < to; linked++) {
      link(hash(linked), linked);
    }
    return true;
  }

  /// Sets the value of a key.
  ///
  /// @param ordered whether the key belongs to a store with ranges
  public void put(int hash, Bytes key, boolean ordered, byte[] value, int offset, int length) {
    int entry = find(hash, key);
    set(entry == NONE ? add(hash, key, ordered) : entry, value, offset, length);
  }

  /// Deletes a key, which is something to be remembered.
  public void delete(int hash, Bytes key, boolean ordered) {
    int entry = find(hash, key);
    setDeleted(entry == NONE ? add(hash, key, ordered) : entry);
  }

  /// Copies some entries of another layer into this one.
  ///
  /// @param from the number of the first
  /// @param to behind the last
  /// @param ordered which keys belong to a store with ranges
  void putAll(Layer other, int from, int to, Predicate<Bytes> ordered) {
    Bytes key = new Bytes();
    for (int entry = from; entry < to; entry++) {
      if ((entry - from) % TOUCHED == 0) {
        touch(other, entry);
      }
      other.key(entry, key);
      putFrom(other, entry, key, ordered.test(key));
    }
  }

  private void putFrom(Layer other, int entry, Bytes key, boolean ordered) {
    if (other.isDeleted(entry)) {
      delete(other.hash(entry), key, ordered);
    } else {
      long place = other.field(entry, VALUE_PLACE);
      byte[] array = other.arena.array(place);
      int length = other.valueLength(entry);
      put(other.hash(entry), key, ordered, array, Arena.offset(place), length);
    }
  }

  /// Prefetches the entries here with the keys of some entries of another layer, in parallel
  /// instead of waiting for each.
  private void touch(Layer other, int from) {
    int count = Math.min(TOUCHED, other.entries - from);
    for (int i = 0; i < count; i++) {
      hashesTouched[i] = other.hash(from + i);
    }
    touchSlots(hashesTouched, count, entriesTouched);
    int sum = 0;
    for (int i = 0; i < count; i++) {
      sum += entriesTouched[i] < 0 ? 0 : keyLength(entriesTouched[i]);
    }
    for (int i = 0; i < count; i++) {
      int entry = entriesTouched[i];
      sum += entry < 0 ? 0 : keyArray(entry)[keyOffset(entry)];
    }
    touched = sum;
  }

  /// Adds a deleted key that is not there.
  ///
  /// @param key not empty
  /// @return its entry, for [#set]
  public int add(int hash, Bytes key, boolean ordered) {
    int entry = entries;
    if (entry == room) {
      grow();
    }
    entries++;
    long place = arena.allocate(key.length());
    System.arraycopy(
        key.array(), key.offset(), arena.array(place), Arena.offset(place), key.length());
    field(entry, KEY_PLACE, place);
    field(entry, VALUE_PLACE, place);
    field(entry, LENGTHS, (long) key.length() << 32 | DELETED & 0xFFFF_FFFFL);
    field(entry, HASH_AND_ROOM, (long) hash << 32);
    if (ordered) {
      index.add(entry);
    }
    return entry;
  }

  public void set(int entry, byte[] value, int offset, int length) {
    long hashAndRoom = field(entry, HASH_AND_ROOM);
    int room = (int) hashAndRoom;
    if (length > room) {
      int newRoom = room == 0 ? length : length + (length >> 1);
      field(entry, VALUE_PLACE, arena.allocate(newRoom));
      field(entry, HASH_AND_ROOM, hashAndRoom & 0xFFFF_FFFF_0000_0000L | newRoom);
    }
    long place = field(entry, VALUE_PLACE);
    System.arraycopy(value, offset, arena.array(place), Arena.offset(place), length);
    valueLength(entry, length);
  }

  private void setDeleted(int entry) {
    valueLength(entry, DELETED);
  }

  boolean isDeleted(int entry) {
    return valueLength(entry) == DELETED;
  }

  public int hash(int entry) {
    return (int) (field(entry, HASH_AND_ROOM) >>> 32);
  }

  @Override
  public Bytes key(int entry, Bytes view) {
    long place = field(entry, KEY_PLACE);
    return view.set(arena.array(place), Arena.offset(place), keyLength(entry));
  }

  @Override
  public @Nullable Bytes value(int entry, Bytes view) {
    int length = valueLength(entry);
    if (length == DELETED) {
      return null;
    }
    long place = field(entry, VALUE_PLACE);
    return view.set(arena.array(place), Arena.offset(place), length);
  }

  /// Shows some entries, at even distances.
  ///
  /// @param atMost how many, about
  void sample(int atMost, Sample sample) {
    int step = Math.max(1, entries / atMost);
    Bytes key = new Bytes();
    for (int entry = 0; entry < entries; entry += step) {
      int weight = Math.min(step, entries - entry);
      sample.entry(key(entry, key), Math.max(0, valueLength(entry)), weight);
    }
  }

  /// Receives some of the entries, each in place of several.
  @FunctionalInterface
  public interface Sample {
    /// @param key valid during the call
    /// @param valueBytes 0 if the key is deleted
    /// @param weight of how many entries it is one
    void entry(Bytes key, int valueBytes, int weight);
  }

  /// Adds what lies between two keys of a store with ranges to the parts of a range.
  void addRange(List<SortedEntries> into, int rank, Bytes from, Bytes to) {
    index.addRange(into, from, to, (run, at, end) -> new LayerEntries(rank, this, run, at, end));
  }

  /// Returns the numbers of all entries in the order of their keys.
  int[] sorted() {
    return sorted(count());
  }

  /// Returns an estimate of the memory in use.
  public long bytes() {
    return arena.usedBytes() + (long) count() * ENTRY_BYTES;
  }

  /// Returns the memory of its arrays, filled or not.
  public long allocatedBytes() {
    return arena.allocatedBytes() + slotBytes() + index.allocatedBytes() + (long) room * ROW_BYTES;
  }

  public void clear() {
    int chunks = room / CHUNK;
    shared.expect(arena.sharedChunks(), chunks);
    arena.clear();
    for (int i = 0; i < chunks; i++) {
      shared.give(rows[i]);
    }
    if (chunks > 0) {
      rows = new long[][] {new long[LEAST_ENTRIES * ROW]};
      room = LEAST_ENTRIES;
    }
    entries = 0;
    linked = 0;
    unlinkAll();
    index.clear();
  }

  /// Makes room for more rows: twice as many in the first array, then an array at a time.
  private void grow() {
    if (room < CHUNK) {
      room *= 2;
      long[] wider = room == CHUNK ? shared.takeLongs() : new long[room * ROW];
      System.arraycopy(rows[0], 0, wider, 0, rows[0].length);
      rows[0] = wider;
    } else {
      int known = room / CHUNK;
      if (known == rows.length) {
        long[][] more = new long[known * 2][];
        System.arraycopy(rows, 0, more, 0, known);
        rows = more;
      }
      rows[known] = shared.takeLongs();
      room += CHUNK;
    }
  }
}

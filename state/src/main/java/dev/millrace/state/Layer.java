package dev.millrace.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Encoded entries under their changelog keys, exactly what the changelog gets; the last one wins.
///
/// A value that fits where the key's last one lay overwrites it, so a counter that changes with
/// every commit takes its bytes once. One that does not fit gets room to grow, so that what is left
/// behind stays in proportion. Entries of stores with ranges also stand in an index in order.
final class Layer extends ByteTable implements EncodedEntries {
  /// What an entry takes besides its bytes: its numbers and its share of the slots.
  private static final int ENTRY_BYTES = 56;

  /// Of these, the numbers.
  private static final int ROW_BYTES = 32;

  private static final int LEAST_ENTRIES = 16;

  /// The length of a value that is not there.
  private static final int DELETED = -1;

  private final Arena arena = new Arena();
  private final SortedIndex index = new SortedIndex(this);
  private int[] hashes = new int[LEAST_ENTRIES];
  private long[] keyPlaces = new long[LEAST_ENTRIES];
  private int[] keyLengths = new int[LEAST_ENTRIES];
  private long[] valuePlaces = new long[LEAST_ENTRIES];

  private int[] valueLengths = new int[LEAST_ENTRIES];

  private int[] valueRooms = new int[LEAST_ENTRIES];

  @Override
  public byte[] keyArray(int entry) {
    return arena.array(keyPlaces[entry]);
  }

  @Override
  public int keyOffset(int entry) {
    return Arena.offset(keyPlaces[entry]);
  }

  @Override
  public int keyLength(int entry) {
    return keyLengths[entry];
  }

  /// Sets the value of a key.
  ///
  /// @param ordered whether the key belongs to a store with ranges
  void put(int hash, Bytes key, boolean ordered, byte[] value, int offset, int length) {
    int entry = find(hash, key);
    set(entry == NONE ? add(hash, key, ordered) : entry, value, offset, length);
  }

  /// Deletes a key, which is something to be remembered.
  void delete(int hash, Bytes key, boolean ordered) {
    int entry = find(hash, key);
    setDeleted(entry == NONE ? add(hash, key, ordered) : entry);
  }

  /// Copies an entry of another layer in.
  void putFrom(Layer other, int entry, Bytes key, boolean ordered) {
    if (other.isDeleted(entry)) {
      delete(other.hashes[entry], key, ordered);
    } else {
      long place = other.valuePlaces[entry];
      byte[] array = other.arena.array(place);
      int length = other.valueLengths[entry];
      put(other.hashes[entry], key, ordered, array, Arena.offset(place), length);
    }
  }

  /// Adds a deleted key that is not there.
  ///
  /// @return its entry, for [#set]
  int add(int hash, Bytes key, boolean ordered) {
    int entry = count();
    if (entry == hashes.length) {
      resize(entry + (entry >> 1));
    }
    hashes[entry] = hash;
    long place = arena.allocate(key.length());
    System.arraycopy(
        key.array(), key.offset(), arena.array(place), Arena.offset(place), key.length());
    keyPlaces[entry] = place;
    keyLengths[entry] = key.length();
    valuePlaces[entry] = place;
    valueRooms[entry] = 0;
    valueLengths[entry] = DELETED;
    link(hash, entry);
    if (ordered) {
      index.add(entry);
    }
    return entry;
  }

  void set(int entry, byte[] value, int offset, int length) {
    int room = valueRooms[entry];
    if (length > room) {
      int newRoom = room == 0 ? length : length + (length >> 1);
      valuePlaces[entry] = arena.allocate(newRoom);
      valueRooms[entry] = newRoom;
    }
    long place = valuePlaces[entry];
    System.arraycopy(value, offset, arena.array(place), Arena.offset(place), length);
    valueLengths[entry] = length;
  }

  private void setDeleted(int entry) {
    valueLengths[entry] = DELETED;
  }

  boolean isDeleted(int entry) {
    return valueLengths[entry] == DELETED;
  }

  int hash(int entry) {
    return hashes[entry];
  }

  @Override
  public Bytes key(int entry, Bytes view) {
    long place = keyPlaces[entry];
    return view.set(arena.array(place), Arena.offset(place), keyLengths[entry]);
  }

  @Override
  public @Nullable Bytes value(int entry, Bytes view) {
    int length = valueLengths[entry];
    if (length == DELETED) {
      return null;
    }
    long place = valuePlaces[entry];
    return view.set(arena.array(place), Arena.offset(place), length);
  }

  /// Adds what lies between two keys of a store with ranges to the runs of a range.
  void addRuns(List<Run> into, int rank, Bytes from, Bytes to) {
    index.addRuns(into, from, to, (run, at, end) -> new Run.Encoded(rank, this, run, at, end));
  }

  /// All entries in the order of their keys, deletions included; valid until the layer changes.
  Disk.SortedRun sortedRun() {
    return runOf(sorted());
  }

  /// The numbers of all entries in the order of their keys.
  int[] sorted() {
    return sorted(count());
  }

  /// An estimate of the memory in use.
  long bytes() {
    return arena.usedBytes() + (long) count() * ENTRY_BYTES;
  }

  /// What its arrays take, filled or not.
  long allocatedBytes() {
    return arena.allocatedBytes()
        + slotBytes()
        + index.allocatedBytes()
        + (long) hashes.length * ROW_BYTES;
  }

  void clear() {
    if (hashes.length > LEAST_ENTRIES && count() < hashes.length / 8) {
      resize(hashes.length / 2);
    }
    unlinkAll();
    index.clear();
    arena.clear();
  }

  private void resize(int entries) {
    hashes = Arrays.copyOf(hashes, entries);
    keyPlaces = Arrays.copyOf(keyPlaces, entries);
    keyLengths = Arrays.copyOf(keyLengths, entries);
    valuePlaces = Arrays.copyOf(valuePlaces, entries);
    valueLengths = Arrays.copyOf(valueLengths, entries);
    valueRooms = Arrays.copyOf(valueRooms, entries);
  }
}

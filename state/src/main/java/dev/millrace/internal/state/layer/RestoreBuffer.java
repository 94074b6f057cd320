package dev.millrace.internal.state.layer;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Entries of a changelog in the order of arrival, to be written to disk as one sorted run: of
/// several entries of a key, the last one is valid.
///
/// Entries cannot be looked up here. That saves a restore of many keys a search for each of them in
/// a table that is larger than the processor's caches; sorting brings equal keys together.
public final class RestoreBuffer implements EncodedEntries {
  private static final int LEAST_ENTRIES = 1024;

  /// The overhead of an entry, including the numbers that sorting needs.
  private static final int ENTRY_BYTES = 32;

  /// Of these, the numbers.
  private static final int ROW_BYTES = 16;

  private static final int DELETED = -1;

  private final Arena arena = new Arena(new ArrayPool());
  private long[] places = new long[LEAST_ENTRIES];
  private int[] keyLengths = new int[LEAST_ENTRIES];
  private int[] valueLengths = new int[LEAST_ENTRIES];
  private int count;

  @Override
  public byte[] keyArray(int entry) {
    return arena.array(places[entry]);
  }

  @Override
  public int keyOffset(int entry) {
    return Arena.offset(places[entry]);
  }

  @Override
  public int keyLength(int entry) {
    return keyLengths[entry];
  }

  /// Adds an entry.
  ///
  /// @param value null deletes the key
  public void add(Bytes key, @Nullable Bytes value) {
    if (count == places.length) {
      int more = count + (count >> 1);
      places = Arrays.copyOf(places, more);
      keyLengths = Arrays.copyOf(keyLengths, more);
      valueLengths = Arrays.copyOf(valueLengths, more);
    }
    int valueLength = value == null ? 0 : value.length();
    long place = arena.allocate(key.length() + valueLength);
    byte[] array = arena.array(place);
    int at = Arena.offset(place);
    System.arraycopy(key.array(), key.offset(), array, at, key.length());
    if (value != null) {
      System.arraycopy(value.array(), value.offset(), array, at + key.length(), valueLength);
    }
    places[count] = place;
    keyLengths[count] = key.length();
    valueLengths[count] = value == null ? DELETED : valueLength;
    count++;
  }

  public int count() {
    return count;
  }

  /// Returns an estimate of the memory in use.
  public long bytes() {
    return arena.usedBytes() + (long) count * ENTRY_BYTES;
  }

  /// Returns the memory of its arrays, filled or not.
  public long allocatedBytes() {
    return arena.allocatedBytes() + (long) places.length * ROW_BYTES;
  }

  @Override
  public Bytes key(int entry, Bytes view) {
    return view.set(keyArray(entry), keyOffset(entry), keyLengths[entry]);
  }

  @Override
  public @Nullable Bytes value(int entry, Bytes view) {
    int length = valueLengths[entry];
    return length == DELETED
        ? null
        : view.set(keyArray(entry), keyOffset(entry) + keyLengths[entry], length);
  }

  /// Returns the last entry of each key, in the order of the keys; valid until something is added.
  public Disk.SortedRun sortedRun() {
    return runOf(() -> KeySort.lastOfEach(this, count));
  }

  public void clear() {
    arena.clear();
    count = 0;
  }
}

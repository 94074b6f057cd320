package dev.millrace.internal.state.cache;

import dev.millrace.api.serde.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The rows of an [ObjectCache]: for each entry a row of adjacent bytes, with its numbers, its key
/// if that is short, and its value if that is small; and separately the value if it is an object,
/// and the key if it is long.
///
/// With more keys than the processor's caches hold, nearly all of the cost of an update is waiting
/// for memory. So an update needs only one or two cache lines of an entry, and [#touch] prefetches
/// the rows of many entries before the first of them is needed: the processor waits for them in
/// parallel.
public final class CacheRows {
  /// The largest value that a row holds.
  public static final int SMALL_VALUE_BYTES = 8;

  /// The bytes of an entry with a short key and a small value.
  static final int ROW_BYTES = 48;

  /// The overhead of a long key: a reference, a header, and half an alignment.
  static final int LONG_KEY_BYTES = 24;

  private static final int HASH = 0;

  /// In three bytes, above the flags.
  private static final int KEY_LENGTH_AND_FLAGS = 4;

  private static final int SIZE = 8;
  private static final int SMALL_VALUE = 16;
  private static final int SHORT_KEY = 24;
  private static final int SHORT_KEY_BYTES = ROW_BYTES - SHORT_KEY;
  private static final int FLAG_BITS = 8;

  /// 4,096 rows, 192 KB: not yet a large object for the collector.
  private static final int CHUNK_BITS = 12;

  private static final int CHUNK = 1 << CHUNK_BITS;
  private static final int LEAST_ROWS = 16;
  private static final byte[] NO_KEY = {};

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[][] chunks = {new byte[LEAST_ROWS * ROW_BYTES]};
  private Beside[] besides = {new Beside()};
  private int capacity = LEAST_ROWS;

  /// Written so that the JVM does not remove the prefetching reads; never read.
  @SuppressWarnings("UnusedVariable")
  private int touched;

  /// The objects of the rows of a chunk; empty as long as there are none.
  private static final class Beside {
    private @Nullable Object[] objects = {};
    private byte[][] longKeys = {};

    void widen(int capacity) {
      objects = objects.length == 0 ? objects : Arrays.copyOf(objects, capacity);
      if (longKeys.length > 0) {
        byte[][] wider = new byte[capacity][];
        System.arraycopy(longKeys, 0, wider, 0, longKeys.length);
        longKeys = wider;
      }
    }
  }

  /// Returns how many rows there is room for.
  int capacity() {
    return capacity;
  }

  /// Makes room for more rows: twice as many in the first chunk, then a chunk at a time.
  void grow() {
    if (capacity < CHUNK) {
      capacity *= 2;
      chunks[0] = Arrays.copyOf(chunks[0], capacity * ROW_BYTES);
      besides[0].widen(capacity);
    } else {
      int known = capacity >> CHUNK_BITS;
      if (known == chunks.length) {
        byte[][] moreChunks = new byte[known * 2][];
        System.arraycopy(chunks, 0, moreChunks, 0, known);
        chunks = moreChunks;
        Beside[] moreBesides = new Beside[known * 2];
        System.arraycopy(besides, 0, moreBesides, 0, known);
        besides = moreBesides;
      }
      chunks[known] = new byte[CHUNK * ROW_BYTES];
      besides[known] = new Beside();
      capacity += CHUNK;
    }
  }

  /// Returns how many rows a chunk has.
  private int length(int entry) {
    return chunk(entry).length / ROW_BYTES;
  }

  private Beside beside(int entry) {
    return besides[entry >>> CHUNK_BITS];
  }

  private static int index(int entry) {
    return entry & CHUNK - 1;
  }

  private byte[] chunk(int entry) {
    return chunks[entry >>> CHUNK_BITS];
  }

  private static int at(int entry) {
    return index(entry) * ROW_BYTES;
  }

  private int number(int entry, int field) {
    return (int) INT.get(chunk(entry), at(entry) + field);
  }

  private void number(int entry, int field, int value) {
    INT.set(chunk(entry), at(entry) + field, value);
  }

  int hash(int entry) {
    return number(entry, HASH);
  }

  int size(int entry) {
    return number(entry, SIZE);
  }

  void size(int entry, int size) {
    number(entry, SIZE, size);
  }

  int flags(int entry) {
    return number(entry, KEY_LENGTH_AND_FLAGS) & (1 << FLAG_BITS) - 1;
  }

  void setFlags(int entry, int flags) {
    number(entry, KEY_LENGTH_AND_FLAGS, number(entry, KEY_LENGTH_AND_FLAGS) | flags);
  }

  void clearFlags(int entry, int flags) {
    number(entry, KEY_LENGTH_AND_FLAGS, number(entry, KEY_LENGTH_AND_FLAGS) & ~flags);
  }

  int keyLength(int entry) {
    return number(entry, KEY_LENGTH_AND_FLAGS) >>> FLAG_BITS;
  }

  byte[] keyArray(int entry) {
    return keyLength(entry) <= SHORT_KEY_BYTES
        ? chunk(entry)
        : beside(entry).longKeys[index(entry)];
  }

  int keyOffset(int entry) {
    return keyLength(entry) <= SHORT_KEY_BYTES ? at(entry) + SHORT_KEY : 0;
  }

  /// Returns the bytes of the key outside the row.
  int extraKeyBytes(int entry) {
    int length = keyLength(entry);
    return length <= SHORT_KEY_BYTES ? 0 : length + LONG_KEY_BYTES;
  }

  /// Begins a row; it has no flags and no value.
  void begin(int entry, int hash, Bytes key) {
    number(entry, HASH, hash);
    number(entry, KEY_LENGTH_AND_FLAGS, key.length() << FLAG_BITS);
    if (key.length() <= SHORT_KEY_BYTES) {
      System.arraycopy(
          key.array(), key.offset(), chunk(entry), at(entry) + SHORT_KEY, key.length());
    } else {
      Beside beside = beside(entry);
      if (beside.longKeys.length == 0) {
        beside.longKeys = new byte[length(entry)][];
      }
      beside.longKeys[index(entry)] = key.toByteArray();
    }
  }

  /// Releases the objects of a row.
  void end(int entry) {
    object(entry, null);
    if (keyLength(entry) > SHORT_KEY_BYTES) {
      beside(entry).longKeys[index(entry)] = NO_KEY;
    }
    number(entry, KEY_LENGTH_AND_FLAGS, 0);
  }

  /// Returns the object of a row.
  @Nullable Object object(int entry) {
    @Nullable Object[] objects = beside(entry).objects;
    return objects.length == 0 ? null : objects[index(entry)];
  }

  void object(int entry, @Nullable Object value) {
    Beside beside = beside(entry);
    if (beside.objects.length > 0) {
      beside.objects[index(entry)] = value;
    } else if (value != null) {
      beside.objects = new @Nullable Object[length(entry)];
      beside.objects[index(entry)] = value;
    }
  }

  /// Moves `view` over the small value in a row.
  Bytes small(int entry, int length, Bytes view) {
    return view.set(chunk(entry), at(entry) + SMALL_VALUE, length);
  }

  void small(int entry, byte[] from, int offset, int length) {
    byte[] chunk = chunk(entry);
    int at = at(entry) + SMALL_VALUE;
    if (length == Long.BYTES) {
      LONG.set(chunk, at, (long) LONG.get(from, offset));
    } else {
      System.arraycopy(from, offset, chunk, at, length);
    }
  }

  /// Prefetches the rows of entries that are about to be used. Numbers below 0 are ignored.
  void touch(int[] entries, int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
      int entry = entries[i];
      if (entry >= 0) {
        byte[] chunk = chunk(entry);
        int at = at(entry);
        // A row lies in two lines at most.
        sum += chunk[at] + chunk[at + ROW_BYTES - 1];
      }
    }
    touched = sum;
  }

  /// Prefetches the objects of rows.
  void touchObjects(int[] entries, int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
      Object object = entries[i] < 0 ? null : object(entries[i]);
      if (object != null) {
        sum += object.getClass() == Object.class ? 1 : 0;
      }
    }
    touched += sum;
  }

  /// Releases all rows and their memory.
  void clear() {
    chunks = new byte[][] {new byte[LEAST_ROWS * ROW_BYTES]};
    besides = new Beside[] {new Beside()};
    capacity = LEAST_ROWS;
  }
}

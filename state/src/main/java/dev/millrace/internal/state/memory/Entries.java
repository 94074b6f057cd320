package dev.millrace.internal.state.memory;

import dev.millrace.api.serde.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Entries outside the heap: lengths of key and value, then both. The length of the value of a
/// deletion is -1.
final class Entries {
  private static final int KEY_LENGTH = 0;
  private static final int VALUE_LENGTH = 4;
  private static final int KEY = 8;
  private static final int DELETED = -1;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final OffHeap memory;

  Entries(OffHeap memory) {
    this.memory = memory;
  }

  /// Allocates an entry and copies key and value into it.
  ///
  /// @param value null for a deletion
  /// @return its address
  long add(Bytes key, @Nullable Bytes value) {
    int valueLength = value == null ? 0 : value.length();
    long address = memory.allocate(KEY + key.length() + valueLength);
    MemorySegment segment = memory.segment(address);
    long at = OffHeap.offset(address);
    segment.set(OffHeap.INT, at + KEY_LENGTH, key.length());
    segment.set(OffHeap.INT, at + VALUE_LENGTH, value == null ? DELETED : valueLength);
    copyIn(key, segment, at + KEY);
    if (value != null) {
      copyIn(value, segment, at + KEY + key.length());
    }
    return address;
  }

  private static void copyIn(Bytes bytes, MemorySegment segment, long at) {
    MemorySegment.copy(
        bytes.array(), bytes.offset(), segment, ValueLayout.JAVA_BYTE, at, bytes.length());
  }

  void free(long entry) {
    memory.free(entry, KEY + keyLength(entry) + valueLength(entry));
  }

  boolean isDeletion(long entry) {
    return length(entry, VALUE_LENGTH) == DELETED;
  }

  int keyLength(long entry) {
    return length(entry, KEY_LENGTH);
  }

  int valueLength(long entry) {
    return Math.max(0, length(entry, VALUE_LENGTH));
  }

  private int length(long entry, int field) {
    return memory.segment(entry).get(OffHeap.INT, OffHeap.offset(entry) + field);
  }

  /// Copies the key to the start of an array.
  void copyKey(long entry, byte[] to) {
    copyOut(entry, KEY, to, keyLength(entry));
  }

  /// Copies the value to the start of an array.
  void copyValue(long entry, byte[] to) {
    copyOut(entry, KEY + keyLength(entry), to, valueLength(entry));
  }

  private void copyOut(long entry, int from, byte[] to, int length) {
    MemorySegment.copy(
        memory.segment(entry), ValueLayout.JAVA_BYTE, OffHeap.offset(entry) + from, to, 0, length);
  }

  /// Eight bytes of a key as a number in their unsigned order, zeros for what is missing.
  static long number(Bytes key, int from) {
    if (from + Long.BYTES <= key.length()) {
      return (long) LONGS.get(key.array(), key.offset() + from);
    }
    long number = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      number = number << Byte.SIZE | (i < key.length() ? key.get(i) & 0xFF : 0);
    }
    return number;
  }

  /// Returns eight bytes of the key of an entry as a number in their unsigned order.
  long number(long entry, int from) {
    int length = keyLength(entry);
    MemorySegment segment = memory.segment(entry);
    long at = OffHeap.offset(entry) + KEY;
    if (from + Long.BYTES <= length) {
      return segment.get(OffHeap.LONG, at + from);
    }
    long number = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      int next = i < length ? segment.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF : 0;
      number = number << Byte.SIZE | next;
    }
    return number;
  }

  /// Compares a key with that of an entry, of which the first bytes are equal.
  ///
  /// @param from how many are
  int compare(Bytes key, long entry, int from) {
    int length = keyLength(entry);
    int order = compare(key, entry, from, Math.min(key.length(), length));
    return order != 0 ? order : Integer.compare(key.length(), length);
  }

  /// Compares the first bytes of a key with those of an entry's, which has so many.
  int compareStart(Bytes key, long entry, int bytes) {
    int order = compare(key, entry, 0, Math.min(key.length(), bytes));
    return order != 0 || key.length() >= bytes ? order : -1;
  }

  private int compare(Bytes key, long entry, int from, int to) {
    MemorySegment segment = memory.segment(entry);
    long at = OffHeap.offset(entry) + KEY;
    int i = from;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long own = (long) LONGS.get(key.array(), key.offset() + i);
      long other = segment.get(OffHeap.LONG, at + i);
      if (own != other) {
        return Long.compareUnsigned(own, other);
      }
    }
    for (; i < to; i++) {
      int order = (key.get(i) & 0xFF) - (segment.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /// With how many equal bytes the keys of two entries begin.
  int shared(long one, long other) {
    int shared = Math.min(keyLength(one), keyLength(other));
    long start = OffHeap.offset(one) + KEY;
    long otherStart = OffHeap.offset(other) + KEY;
    long differs =
        MemorySegment.mismatch(
            memory.segment(one),
            start,
            start + shared,
            memory.segment(other),
            otherStart,
            otherStart + shared);
    return differs < 0 ? shared : (int) differs;
  }

  /// Returns a copy of the value.
  byte[] value(long entry) {
    byte[] value = new byte[valueLength(entry)];
    copyValue(entry, value);
    return value;
  }

  /// Returns an array of at least so many bytes, `known` if it has them.
  static byte[] room(byte[] known, int bytes) {
    return known.length >= bytes ? known : Arrays.copyOf(known, Math.max(bytes, 2 * known.length));
  }
}

package dev.millrace.state.memory;

import dev.millrace.api.serde.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Entries outside the heap: lengths of key and value, then both. The length of the value of a
/// deletion is -1.
final class Entries {
  private static final int KEY_LENGTH = 0;
  private static final int VALUE_LENGTH = 4;
  private static final int KEY = 8;
  private static final int DELETED = -1;

  private final OffHeap memory;

  Entries(OffHeap memory) {
    this.memory = memory;
  }

  /// Copies an entry in.
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
    return number(entry, VALUE_LENGTH) == DELETED;
  }

  int keyLength(long entry) {
    return number(entry, KEY_LENGTH);
  }

  int valueLength(long entry) {
    return Math.max(0, number(entry, VALUE_LENGTH));
  }

  private int number(long entry, int field) {
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

  /// The first eight bytes of a key as a number in their unsigned order, zeros for what is missing.
  static long prefix(Bytes key) {
    long prefix = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      prefix = prefix << 8 | (i < key.length() ? key.get(i) & 0xFF : 0);
    }
    return prefix;
  }

  /// Compares a key with that of an entry, whose prefixes are equal.
  int compareBehindPrefix(Bytes key, long entry) {
    MemorySegment segment = memory.segment(entry);
    long at = OffHeap.offset(entry) + KEY;
    int length = keyLength(entry);
    int shared = Math.min(key.length(), length);
    for (int i = Math.min(Long.BYTES, shared); i < shared; i++) {
      int order = (key.get(i) & 0xFF) - (segment.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(key.length(), length);
  }

  /// A copy of the value.
  byte[] value(long entry) {
    byte[] value = new byte[valueLength(entry)];
    copyValue(entry, value);
    return value;
  }

  /// An array of at least so many bytes, `known` if it has them.
  static byte[] room(byte[] known, int bytes) {
    return known.length >= bytes ? known : Arrays.copyOf(known, Math.max(bytes, 2 * known.length));
  }
}

package dev.millrace.internal.state.layer;

import dev.millrace.api.serde.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Finds entries by the bytes of their keys: open addressing with linear probing.
///
/// A slot is one long, the hash above and the entry's number plus one below, so that a probe of
/// another key costs no look at that key. Entries are numbered by the subclass, which keeps
/// whatever belongs to them in arrays; a number stays the same while its entry lives. Looking up
/// allocates nothing. The hash takes no seed: the same operations give the same table everywhere.
public abstract class ByteTable implements KeyedEntries {
  /// No such entry.
  public static final int NONE = -1;

  /// The number of bytes of a key that are compared at once.
  public static final int WORD = Long.BYTES;

  private static final int LEAST_SLOTS = 16;

  /// Keys up to here are compared by hand.
  private static final int SHORT = 40;

  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;
  private static final VarHandle PAIR =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private long[] slots = new long[LEAST_SLOTS];
  private int count;

  /// Returns the hash of bytes, the same in all tables.
  public static int hash(byte[] array, int offset, int length) {
    return hashRest(length * MULTIPLIER, array, offset, offset + length);
  }

  private static int hashRest(long before, byte[] array, int from, int end) {
    long hash = before;
    int at = from;
    for (; at + WORD <= end; at += WORD) {
      hash = mix(hash ^ (long) LONG.get(array, at));
    }
    if (at < end) {
      long rest = 0;
      for (; at < end; at++) {
        rest = rest << 8 | (array[at] & 0xFF);
      }
      hash = mix(hash ^ rest);
    }
    hash *= MULTIPLIER;
    return (int) (hash >>> 32);
  }

  public static int hash(Bytes bytes) {
    return hash(bytes.array(), bytes.offset(), bytes.length());
  }

  /// Returns the hash of two bytes and the key behind them, which do not lie together.
  ///
  /// @param prefix the two bytes, the higher one first
  /// @param key of [#WORD] bytes at least
  public static int hash(int prefix, Bytes key) {
    byte[] array = key.array();
    int at = key.offset();
    int end = at + key.length();
    // The words of both together begin two bytes before those of the key.
    long hash = (key.length() + Short.BYTES) * MULTIPLIER;
    long first = (long) LONG.get(array, at) << Short.SIZE;
    hash = mix(hash ^ (first | Short.toUnsignedLong(Short.reverseBytes((short) prefix))));
    return hashRest(hash, array, at + WORD - Short.BYTES, end);
  }

  private static long mix(long value) {
    long product = value * MULTIPLIER;
    return product ^ product >>> 32;
  }

  /// Returns the number of entries.
  public int count() {
    return count;
  }

  private int find(int hash, byte[] array, int offset, int length) {
    int mask = slots.length - 1;
    for (int at = hash & mask; ; at = at + 1 & mask) {
      long slot = slots[at];
      if (slot == 0) {
        return NONE;
      }
      if ((int) (slot >>> 32) == hash) {
        int entry = (int) slot - 1;
        if (keyLength(entry) == length
            && equal(keyArray(entry), keyOffset(entry), array, offset, length)) {
          return entry;
        }
      }
    }
  }

  /// Returns the entry of a key of which the first two bytes do not lie before the others, or
  /// [#NONE].
  ///
  /// @param prefix the two bytes, the higher one first
  public final int find(int hash, int prefix, Bytes key) {
    int mask = slots.length - 1;
    for (int at = hash & mask; ; at = at + 1 & mask) {
      long slot = slots[at];
      if (slot == 0) {
        return NONE;
      }
      if ((int) (slot >>> 32) == hash) {
        int entry = (int) slot - 1;
        if (hasKey(entry, prefix, key)) {
          return entry;
        }
      }
    }
  }

  /// Returns whether this is the key of an entry; see [#find(int, int, Bytes)].
  protected final boolean hasKey(int entry, int prefix, Bytes key) {
    if (keyLength(entry) != key.length() + Short.BYTES) {
      return false;
    }
    byte[] array = keyArray(entry);
    int offset = keyOffset(entry);
    return (short) PAIR.get(array, offset) == (short) prefix
        && equal(array, offset + Short.BYTES, key.array(), key.offset(), key.length());
  }

  /// As [Arrays#equals], whose call alone would cost more than comparing short keys.
  private static boolean equal(byte[] one, int at, byte[] other, int otherAt, int length) {
    if (length < Long.BYTES || length > SHORT) {
      return Arrays.equals(one, at, at + length, other, otherAt, otherAt + length);
    }
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      if ((long) LONG.get(one, at + i) != (long) LONG.get(other, otherAt + i)) {
        return false;
      }
    }
    return (long) LONG.get(one, at + last) == (long) LONG.get(other, otherAt + last);
  }

  /// Finds, for each hash, an entry with that hash, or [#NONE]: most likely the one that is about
  /// to be looked for. The slots of all are prefetched in parallel.
  protected final void touchSlots(int[] hashes, int count, int[] entries) {
    int mask = slots.length - 1;
    for (int i = 0; i < count; i++) {
      int at = hashes[i] & mask;
      long slot = slots[at];
      if (slot != 0 && (int) (slot >>> 32) != hashes[i]) {
        slot = slots[at + 1 & mask];
      }
      entries[i] = (int) (slot >>> 32) == hashes[i] ? (int) slot - 1 : NONE;
    }
  }

  /// Returns the entry of a key, or [#NONE].
  public int find(int hash, Bytes key) {
    return find(hash, key.array(), key.offset(), key.length());
  }

  /// Adds an entry whose key is not in the table.
  protected final void link(int hash, int entry) {
    if (++count > slots.length / 5L * 3) {
      widen(slots.length * 2);
    }
    place(slots, (long) hash << 32 | (entry + 1));
  }

  /// Removes an entry. Entries after it move up, so that no slot is wasted.
  protected final void unlink(int hash, int entry) {
    int mask = slots.length - 1;
    int hole = hash & mask;
    while ((int) slots[hole] != entry + 1) {
      hole = hole + 1 & mask;
    }
    for (int at = hole + 1 & mask; slots[at] != 0; at = at + 1 & mask) {
      int home = (int) (slots[at] >>> 32) & mask;
      if ((at - home & mask) >= (at - hole & mask)) {
        slots[hole] = slots[at];
        hole = at;
      }
    }
    slots[hole] = 0;
    count--;
  }

  /// Removes all entries, and releases memory that was not needed this time.
  protected final void unlinkAll() {
    unlinkAll(false);
  }

  /// Forgets all entries.
  ///
  /// @param release whether to give all memory of the slots back, as if none will come again
  protected final void unlinkAll(boolean release) {
    if (release) {
      slots = new long[LEAST_SLOTS];
    } else if (slots.length > LEAST_SLOTS && count < slots.length / 8) {
      slots = new long[slots.length / 2];
    } else {
      Arrays.fill(slots, 0);
    }
    count = 0;
  }

  /// Makes room for a number of entries.
  final void reserveSlots(int entries) {
    int wanted = slots.length;
    while (entries > wanted / 5L * 3) {
      wanted *= 2;
    }
    if (wanted > slots.length) {
      widen(wanted);
    }
  }

  /// Returns the memory of the slots.
  final long slotBytes() {
    return (long) slots.length * Long.BYTES;
  }

  private void widen(int length) {
    long[] wider = new long[length];
    for (long slot : slots) {
      if (slot != 0) {
        place(wider, slot);
      }
    }
    slots = wider;
  }

  private static void place(long[] slots, long slot) {
    int mask = slots.length - 1;
    int at = (int) (slot >>> 32) & mask;
    while (slots[at] != 0) {
      at = at + 1 & mask;
    }
    slots[at] = slot;
  }
}

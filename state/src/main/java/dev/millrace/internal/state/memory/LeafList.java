package dev.millrace.internal.state.memory;

import dev.millrace.api.serde.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Leaves in the order of their keys. Each is a piece of memory outside the heap with up to 128
/// entries, and belongs to one list at a time.
///
/// A leaf holds for each entry eight bytes of its key as a number, and its address: those eight
/// that follow the bytes with which all keys of the leaf begin. Of each leaf the list has a bound,
/// the fewest bytes that tell its keys from those of the leaf before. So a search looks at one
/// entry, however alike keys begin: those of one window, say, or texts with numbers at their end.
final class LeafList {
  static final int MOST = 128;

  /// About so many leaves are looked at to estimate the bytes of a range.
  private static final int SAMPLED = 64;

  private static final long SLOT = 2 * Long.BYTES;
  private static final int LEAF_BYTES = (int) (MOST * SLOT);
  private static final byte[] NO_BYTES = {};

  private final OffHeap memory;
  private final Entries entries;
  private final Bounds bounds = new Bounds();
  private long[] leaves = new long[4];
  private int[] counts = new int[4];

  /// With how many equal bytes the keys of each begin.
  private int[] shared = new int[4];

  private int size;

  LeafList(OffHeap memory, Entries entries) {
    this.memory = memory;
    this.entries = entries;
  }

  /// Returns how many leaves there are.
  int size() {
    return size;
  }

  /// Returns how many entries a leaf has.
  int count(int leaf) {
    return counts[leaf];
  }

  /// With how many equal bytes the keys of a leaf begin.
  int shared(int leaf) {
    return shared[leaf];
  }

  long entry(int leaf, int slot) {
    return field(leaf, slot, Long.BYTES);
  }

  /// Returns the eight bytes behind those that all keys of the leaf begin with.
  long number(int leaf, int slot) {
    return field(leaf, slot, 0);
  }

  private long field(int leaf, int slot, int field) {
    long address = leaves[leaf];
    return memory.segment(address).get(OffHeap.LONG, OffHeap.offset(address) + slot * SLOT + field);
  }

  /// Returns the entry of a key, or [OffHeap#NOWHERE].
  long find(Bytes key) {
    if (size == 0) {
      return OffHeap.NOWHERE;
    }
    int leaf = leafOf(key);
    // A key that does not begin like those of the leaf is sent somewhere, and found to be another.
    long number = Entries.number(key, shared[leaf]);
    int slot = search(leaf, key, number, 0, counts[leaf]);
    return holds(leaf, slot, key, number) ? entry(leaf, slot) : OffHeap.NOWHERE;
  }

  /// Returns whether a slot has an entry of a key.
  ///
  /// @param number of the key
  boolean holds(int leaf, int slot, Bytes key, long number) {
    return slot < counts[leaf]
        && number(leaf, slot) == number
        && entries.compare(key, entry(leaf, slot), 0) == 0;
  }

  /// Returns the leaf that a key belongs to, if there is any.
  int leafOf(Bytes key) {
    return leafOf(key, 0, size - 1);
  }

  /// Does the same search from `from` on, before which the result is not, and near which it
  /// probably is.
  int leafFrom(int from, Bytes key) {
    int low = from;
    int step = 1;
    while (low + step < size && bounds.isUpTo(low + step, key)) {
      low += step;
      step *= 2;
    }
    return leafOf(key, low, Math.min(low + step, size) - 1);
  }

  private int leafOf(Bytes key, int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = low + high + 1 >>> 1;
      if (bounds.isUpTo(middle, key)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /// Returns whether a key belongs to a later leaf.
  boolean isBehind(int leaf, Bytes key) {
    return leaf + 1 < size && bounds.isUpTo(leaf + 1, key);
  }

  /// Returns the first slot of a leaf whose key is not below a key; the number of its entries if
  /// all are.
  int slotOf(int leaf, Bytes key) {
    return slotFrom(0, leaf, key);
  }

  /// Does the same search from `from` on, before which the result is not, and near which it
  /// probably is.
  int slotFrom(int from, int leaf, Bytes key) {
    int count = counts[leaf];
    if (from == count) {
      return count;
    }
    int order = entries.compareStart(key, entry(leaf, from), shared[leaf]);
    if (order != 0) {
      return order < 0 ? from : count;
    }
    long number = Entries.number(key, shared[leaf]);
    int low = from;
    int step = 1;
    while (low + step <= count && isBelow(leaf, low + step - 1, key, number)) {
      low += step;
      step *= 2;
    }
    return search(leaf, key, number, low, Math.min(low + step - 1, count));
  }

  private int search(int leaf, Bytes key, long number, int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = low + high >>> 1;
      if (isBelow(leaf, middle, key, number)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isBelow(int leaf, int slot, Bytes key, long number) {
    int order = Long.compareUnsigned(number(leaf, slot), number);
    return order < 0
        || order == 0 && entries.compare(key, entry(leaf, slot), shared[leaf] + Long.BYTES) > 0;
  }

  /// Returns about how many bytes the keys and values between two keys have: their number times the
  /// mean of some.
  ///
  /// @param to the first key behind them
  long bytes(Bytes from, Bytes to) {
    if (size == 0) {
      return 0;
    }
    int first = leafOf(from);
    int last = leafOf(to);
    int step = Math.max(1, (last - first + 1) / SAMPLED);
    long found = 0;
    long seen = 0;
    long seenBytes = 0;
    for (int leaf = first; leaf <= last; leaf++) {
      int slot = leaf == first ? slotOf(leaf, from) : 0;
      int behind = leaf == last ? slotOf(leaf, to) : counts[leaf];
      found += Math.max(0, behind - slot);
      if ((leaf - first) % step == 0 || leaf == last) {
        seen += Math.max(0, behind - slot);
        for (; slot < behind; slot++) {
          long entry = entry(leaf, slot);
          seenBytes += entries.keyLength(entry) + entries.valueLength(entry);
        }
      }
    }
    return seen == 0 ? 0 : (long) ((double) found * seenBytes / seen);
  }

  void clear() {
    bounds.clear();
    size = 0;
  }

  /// Moves leaves from another list to this one.
  void addAll(LeafList other, int from, int to) {
    int more = to - from;
    room(size + more);
    bounds.addAll(other.bounds, from, to);
    System.arraycopy(other.leaves, from, leaves, size, more);
    System.arraycopy(other.counts, from, counts, size, more);
    System.arraycopy(other.shared, from, shared, size, more);
    size += more;
  }

  /// Adds an empty leaf for the keys from a bound on.
  ///
  /// @param bound above the keys of the leaf before
  /// @param boundLength how many of its bytes count
  void add(byte[] bound, int boundLength) {
    bounds.add(bound, boundLength);
    add();
  }

  /// Adds an empty leaf for the keys of a leaf of another list.
  void addLike(LeafList other, int leaf) {
    if (size == 0) {
      add(NO_BYTES, 0);
    } else {
      bounds.addAll(other.bounds, leaf, leaf + 1);
      add();
    }
  }

  private void add() {
    room(size + 1);
    leaves[size] = memory.allocate(LEAF_BYTES);
    counts[size] = 0;
    shared[size++] = 0;
  }

  /// Releases the memory of a leaf, which must not be read any more.
  void free(int leaf) {
    memory.free(leaves[leaf], LEAF_BYTES);
  }

  /// Writes the last leaf anew.
  void fillLast(Numbered from, int first, int behind) {
    int leaf = size - 1;
    int same = entries.shared(from.entry(first), from.entry(behind - 1));
    MemorySegment segment = memory.segment(leaves[leaf]);
    long at = OffHeap.offset(leaves[leaf]);
    for (int i = first; i < behind; i++, at += SLOT) {
      segment.set(OffHeap.LONG, at, from.number(i, same));
      segment.set(OffHeap.LONG, at + Long.BYTES, from.entry(i));
    }
    counts[leaf] = behind - first;
    shared[leaf] = same;
  }

  private void room(int needed) {
    if (needed > leaves.length) {
      int capacity = Math.max(needed, 2 * leaves.length);
      leaves = Arrays.copyOf(leaves, capacity);
      counts = Arrays.copyOf(counts, capacity);
      shared = Arrays.copyOf(shared, capacity);
    }
  }
}

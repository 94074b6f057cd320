package dev.millrace.state.memory;

import dev.millrace.api.serde.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Entries in the order of their keys: leaves outside the heap, each of up to 128 entries, and
/// above them one sorted list of the leaves, which is made anew by each [#merge].
///
/// A leaf holds for each entry the first eight bytes of its key as a number, and its address. So
/// most comparisons of a search look at no entry.
final class Leaves {
  private static final int MOST = 128;
  private static final int FEW = MOST / 4;
  private static final long SLOT = 2 * Long.BYTES;
  private static final int LEAF_BYTES = (int) (MOST * SLOT);

  private final OffHeap memory;
  private final Entries entries;
  private final Bytes key = new Bytes();
  private byte[] keyArray = new byte[64];
  private Top top = new Top();
  private Top next = new Top();
  private long[] prefixes = new long[2 * MOST];
  private long[] merged = new long[2 * MOST];
  private int mergedCount;
  private long moreBytes;

  Leaves(OffHeap memory, Entries entries) {
    this.memory = memory;
    this.entries = entries;
  }

  /// The leaves in order: first prefixes, addresses, numbers of entries.
  private static final class Top {
    private long[] firsts = new long[4];
    private long[] leaves = new long[4];
    private int[] counts = new int[4];
    private int size;

    void add(long first, long leaf, int count) {
      room(size + 1);
      firsts[size] = first;
      leaves[size] = leaf;
      counts[size++] = count;
    }

    void addAll(Top other, int from, int to) {
      int more = to - from;
      room(size + more);
      System.arraycopy(other.firsts, from, firsts, size, more);
      System.arraycopy(other.leaves, from, leaves, size, more);
      System.arraycopy(other.counts, from, counts, size, more);
      size += more;
    }

    private void room(int needed) {
      if (needed > firsts.length) {
        int capacity = Math.max(needed, 2 * firsts.length);
        firsts = Arrays.copyOf(firsts, capacity);
        leaves = Arrays.copyOf(leaves, capacity);
        counts = Arrays.copyOf(counts, capacity);
      }
    }
  }

  /// How many leaves there are.
  int size() {
    return top.size;
  }

  /// How many entries a leaf has.
  int count(int leaf) {
    return top.counts[leaf];
  }

  /// An entry of a leaf.
  long entry(int leaf, int slot) {
    return number(top.leaves[leaf], slot, Long.BYTES);
  }

  private long prefix(int leaf, int slot) {
    return number(top.leaves[leaf], slot, 0);
  }

  private long number(long leaf, int slot, int field) {
    return memory.segment(leaf).get(OffHeap.LONG, OffHeap.offset(leaf) + slot * SLOT + field);
  }

  /// The last leaf whose first key is not above a key; 0 if there is none.
  int leafOf(Bytes of, long prefix) {
    return leafOf(of, prefix, 0, top.size - 1);
  }

  /// The same, most likely not far behind `from`, before which it is not.
  private int leafFrom(int from, Bytes of, long prefix) {
    int low = from;
    int step = 1;
    while (low + step < top.size && beginsUpTo(low + step, of, prefix)) {
      low += step;
      step *= 2;
    }
    return leafOf(of, prefix, low, Math.min(low + step, top.size) - 1);
  }

  private int leafOf(Bytes of, long prefix, int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = low + high + 1 >>> 1;
      if (beginsUpTo(middle, of, prefix)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /// Whether the first key of a leaf is not above a key.
  private boolean beginsUpTo(int leaf, Bytes of, long prefix) {
    int order = Long.compareUnsigned(top.firsts[leaf], prefix);
    return order < 0 || order == 0 && entries.compareBehindPrefix(of, entry(leaf, 0)) >= 0;
  }

  /// The first slot of a leaf whose key is not below a key; the number of its entries if all are.
  int slotOf(int leaf, Bytes of, long prefix) {
    return slotOf(leaf, of, prefix, 0, top.counts[leaf]);
  }

  /// The same, most likely not far behind `from`, before which it is not.
  private int slotFrom(int from, int leaf, Bytes of, long prefix) {
    int count = top.counts[leaf];
    int low = from;
    int step = 1;
    while (low + step <= count && isBelow(leaf, low + step - 1, of, prefix)) {
      low += step;
      step *= 2;
    }
    return slotOf(leaf, of, prefix, low, Math.min(low + step - 1, count));
  }

  private int slotOf(int leaf, Bytes of, long prefix, int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = low + high >>> 1;
      if (isBelow(leaf, middle, of, prefix)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isBelow(int leaf, int slot, Bytes of, long prefix) {
    int order = Long.compareUnsigned(prefix(leaf, slot), prefix);
    return order < 0 || order == 0 && entries.compareBehindPrefix(of, entry(leaf, slot)) > 0;
  }

  /// The entry of a key, or [OffHeap#NOWHERE].
  long find(Bytes of) {
    if (top.size == 0) {
      return OffHeap.NOWHERE;
    }
    long prefix = Entries.prefix(of);
    int leaf = leafOf(of, prefix);
    int slot = slotOf(leaf, of, prefix);
    return slot < top.counts[leaf]
            && prefix(leaf, slot) == prefix
            && entries.compareBehindPrefix(of, entry(leaf, slot)) == 0
        ? entry(leaf, slot)
        : OffHeap.NOWHERE;
  }

  /// Replaces and deletes entries. Those that are replaced or deleted are freed, and so are the
  /// deletions.
  ///
  /// @param changes ascending by key, without equal keys
  /// @return how many bytes of keys and values there are more
  long merge(long[] changes, int count) {
    moreBytes = 0;
    next.size = 0;
    int leaf = 0;
    int at = 0;
    if (top.size == 0) {
      mergedCount = 0;
      for (; at < count; at++) {
        addChange(changes[at]);
      }
      emit();
    }
    while (at < count) {
      Bytes first = keyOf(changes[at]);
      int target = leafFrom(leaf, first, Entries.prefix(first));
      next.addAll(top, leaf, target);
      at = mergeLeaf(target, changes, at, count);
      leaf = target + 1;
    }
    next.addAll(top, leaf, top.size);
    Top before = top;
    top = next;
    next = before;
    return moreBytes;
  }

  /// Merges the changes that belong to a leaf into it.
  ///
  /// @return the first change that belongs to a later one
  private int mergeLeaf(int leaf, long[] changes, int from, int count) {
    mergedCount = 0;
    int slot = 0;
    int at = from;
    for (; at < count; at++) {
      Bytes changed = keyOf(changes[at]);
      long prefix = Entries.prefix(changed);
      if (leaf + 1 < top.size && beginsUpTo(leaf + 1, changed, prefix)) {
        break;
      }
      int place = slotFrom(slot, leaf, changed, prefix);
      for (; slot < place; slot++) {
        addMerged(prefix(leaf, slot), entry(leaf, slot));
      }
      if (slot < top.counts[leaf]
          && prefix(leaf, slot) == prefix
          && entries.compareBehindPrefix(changed, entry(leaf, slot)) == 0) {
        long replaced = entry(leaf, slot++);
        moreBytes -= entries.keyLength(replaced) + entries.valueLength(replaced);
        entries.free(replaced);
      }
      addChange(changes[at]);
    }
    for (; slot < top.counts[leaf]; slot++) {
      addMerged(prefix(leaf, slot), entry(leaf, slot));
    }
    memory.free(top.leaves[leaf], LEAF_BYTES);
    emit();
    return at;
  }

  private void addChange(long change) {
    if (entries.isDeletion(change)) {
      entries.free(change);
    } else {
      moreBytes += entries.keyLength(change) + entries.valueLength(change);
      addMerged(Entries.prefix(keyOf(change)), change);
    }
  }

  private void addMerged(long prefix, long entry) {
    if (mergedCount == merged.length) {
      prefixes = Arrays.copyOf(prefixes, 2 * mergedCount);
      merged = Arrays.copyOf(merged, 2 * mergedCount);
    }
    prefixes[mergedCount] = prefix;
    merged[mergedCount++] = entry;
  }

  /// Makes leaves of what was merged, or adds it to the last one if it is little.
  private void emit() {
    if (mergedCount == 0) {
      return;
    }
    if (mergedCount <= FEW && next.size > 0 && next.counts[next.size - 1] + mergedCount <= MOST) {
      int last = next.size - 1;
      fill(next.leaves[last], next.counts[last], 0, mergedCount);
      next.counts[last] += mergedCount;
      return;
    }
    int pieces = (mergedCount + MOST - 1) / MOST;
    for (int piece = 0; piece < pieces; piece++) {
      int from = (int) ((long) mergedCount * piece / pieces);
      int to = (int) ((long) mergedCount * (piece + 1) / pieces);
      long leaf = memory.allocate(LEAF_BYTES);
      fill(leaf, 0, from, to);
      next.add(prefixes[from], leaf, to - from);
    }
  }

  private void fill(long leaf, int firstSlot, int from, int to) {
    MemorySegment segment = memory.segment(leaf);
    long at = OffHeap.offset(leaf) + firstSlot * SLOT;
    for (int i = from; i < to; i++, at += SLOT) {
      segment.set(OffHeap.LONG, at, prefixes[i]);
      segment.set(OffHeap.LONG, at + Long.BYTES, merged[i]);
    }
  }

  /// The key of an entry; valid until the next call.
  private Bytes keyOf(long entry) {
    int length = entries.keyLength(entry);
    keyArray = Entries.room(keyArray, length);
    entries.copyKey(entry, keyArray);
    return key.set(keyArray, 0, length);
  }
}

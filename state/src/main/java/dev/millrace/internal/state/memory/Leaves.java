package dev.millrace.internal.state.memory;

import dev.millrace.api.serde.Bytes;

/// Entries in the order of their keys, in leaves, of which each [#merge] creates a new list. Leaves
/// without new entries are moved to it unchanged.
final class Leaves {
  private static final int FEW = LeafList.MOST / 4;

  private final Entries entries;
  private final Bytes key = new Bytes();
  private final Numbered merged;
  private byte[] keyArray = new byte[64];
  private LeafList list;
  private LeafList next;
  private long moreBytes;

  Leaves(OffHeap memory, Entries entries) {
    this.entries = entries;
    merged = new Numbered(entries);
    list = new LeafList(memory, entries);
    next = new LeafList(memory, entries);
  }

  /// Returns the leaves as they are until the next [#merge].
  LeafList list() {
    return list;
  }

  /// Replaces and deletes entries. Entries that are replaced or deleted are freed, and so are the
  /// deletions.
  ///
  /// @param changes ascending by key, without equal keys
  /// @return how many bytes of keys and values there are more
  long merge(long[] changes, int count) {
    moreBytes = 0;
    next.clear();
    int leaf = 0;
    int at = 0;
    if (list.size() == 0) {
      merged.clear(0);
      for (; at < count; at++) {
        addChange(changes[at]);
      }
      emit(0);
    }
    while (at < count) {
      int target = list.leafFrom(leaf, keyOf(changes[at]));
      next.addAll(list, leaf, target);
      at = mergeLeaf(target, changes, at, count);
      leaf = target + 1;
    }
    next.addAll(list, leaf, list.size());
    LeafList before = list;
    list = next;
    next = before;
    return moreBytes;
  }

  /// Merges the changes that belong to a leaf into it.
  ///
  /// @return the first change that belongs to a later one
  private int mergeLeaf(int leaf, long[] changes, int from, int count) {
    merged.clear(list.shared(leaf));
    int slot = 0;
    int at = from;
    for (; at < count; at++) {
      Bytes changed = keyOf(changes[at]);
      if (list.isBehind(leaf, changed)) {
        break;
      }
      int place = list.slotFrom(slot, leaf, changed);
      for (; slot < place; slot++) {
        merged.add(list.number(leaf, slot), list.entry(leaf, slot));
      }
      if (list.holds(leaf, slot, changed, Entries.number(changed, merged.from()))) {
        long replaced = list.entry(leaf, slot++);
        moreBytes -= entries.keyLength(replaced) + entries.valueLength(replaced);
        entries.free(replaced);
      }
      addChange(changes[at]);
    }
    for (; slot < list.count(leaf); slot++) {
      merged.add(list.number(leaf, slot), list.entry(leaf, slot));
    }
    list.free(leaf);
    emit(leaf);
    return at;
  }

  private void addChange(long change) {
    if (entries.isDeletion(change)) {
      entries.free(change);
    } else {
      moreBytes += entries.keyLength(change) + entries.valueLength(change);
      merged.add(entries.number(change, merged.from()), change);
    }
  }

  /// Creates leaves of the merged entries, or adds them to the last leaf if they are few.
  ///
  /// @param leaf that it was, if there was any
  private void emit(int leaf) {
    if (merged.size() == 0) {
      return;
    }
    int last = next.size() - 1;
    if (merged.size() <= FEW && last >= 0 && next.count(last) + merged.size() <= LeafList.MOST) {
      merged.prepend(next, last);
      next.fillLast(merged, 0, merged.size());
      return;
    }
    int pieces = (merged.size() + LeafList.MOST - 1) / LeafList.MOST;
    for (int piece = 0; piece < pieces; piece++) {
      int from = (int) ((long) merged.size() * piece / pieces);
      int to = (int) ((long) merged.size() * (piece + 1) / pieces);
      if (piece == 0) {
        next.addLike(list, leaf);
      } else {
        long first = merged.entry(from);
        keyOf(first);
        next.add(keyArray, entries.shared(merged.entry(from - 1), first) + 1);
      }
      next.fillLast(merged, from, to);
    }
  }

  /// Returns the key of an entry; valid until the next call.
  private Bytes keyOf(long entry) {
    int length = entries.keyLength(entry);
    keyArray = Entries.room(keyArray, length);
    entries.copyKey(entry, keyArray);
    return key.set(keyArray, 0, length);
  }
}

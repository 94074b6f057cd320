package dev.millrace.internal.memory;

import dev.millrace.api.serde.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/// A set of keys that lie in blocks: a hash table of the places of records, without an object for
/// each.
final class KeySet {
  private static final int FIRST_SIZE = 1 << 10;
  private static final int NONE = -1;

  private final List<Block> blocks;
  private final CRC32C crc = new CRC32C();
  private final Bytes key = new Bytes();
  private final Bytes other = new Bytes();

  private int[] blockOf = new int[FIRST_SIZE];
  private int[] indexOf = new int[FIRST_SIZE];
  private int[] hashes = new int[FIRST_SIZE];
  private int size;

  KeySet(List<Block> blocks) {
    this.blocks = blocks;
    Arrays.fill(blockOf, NONE);
  }

  /// Adds the key of a record.
  ///
  /// @param block its number in the list
  /// @return whether it was not there
  boolean add(int block, int index) {
    if (size * 2 >= blockOf.length) {
      grow();
    }
    blocks.get(block).key(index, key);
    int hash = hash(key);
    int at = hash & (blockOf.length - 1);
    while (blockOf[at] != NONE) {
      if (hashes[at] == hash && blocks.get(blockOf[at]).key(indexOf[at], other).equals(key)) {
        return false;
      }
      at = (at + 1) & (blockOf.length - 1);
    }
    put(at, block, index, hash);
    size++;
    return true;
  }

  private int hash(Bytes of) {
    crc.reset();
    crc.update(of.array(), of.offset(), of.length());
    int hash = (int) crc.getValue() * 0x9e3779b9;
    return hash ^ (hash >>> 16);
  }

  private void put(int at, int block, int index, int hash) {
    blockOf[at] = block;
    indexOf[at] = index;
    hashes[at] = hash;
  }

  private void grow() {
    int[] oldBlocks = blockOf;
    int[] oldIndexes = indexOf;
    int[] oldHashes = hashes;
    int length = oldBlocks.length * 2;
    blockOf = new int[length];
    indexOf = new int[length];
    hashes = new int[length];
    Arrays.fill(blockOf, NONE);
    for (int i = 0; i < oldBlocks.length; i++) {
      if (oldBlocks[i] != NONE) {
        int at = oldHashes[i] & (length - 1);
        while (blockOf[at] != NONE) {
          at = (at + 1) & (length - 1);
        }
        put(at, oldBlocks[i], oldIndexes[i], oldHashes[i]);
      }
    }
  }
}

package dev.millrace.internal.memory;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// The last record of each key in some blocks, as new blocks. Used once.
final class LastRecords {
  /// Blocks of so many bytes are taken as they are if nothing of them goes.
  private static final int WHOLE_BYTES = 64 << 10;

  private static final int MOST_RECORDS = 2048;
  private static final int MOST_BYTES = 256 << 10;

  private final List<Block> from;
  private final long tombstonesBelow;
  private final BitSet[] kept;
  private final List<Block> left = new ArrayList<>();

  private final Block[] chosen = new Block[MOST_RECORDS];
  private final int[] indexes = new int[MOST_RECORDS];
  private int count;
  private int bytes;

  /// @param from in the order of their offsets; all of their records have a key
  /// @param tombstonesBelow the offset below which records without a value are not kept either
  LastRecords(List<Block> from, long tombstonesBelow) {
    this.from = from;
    this.tombstonesBelow = tombstonesBelow;
    kept = new BitSet[from.size()];
  }

  List<Block> blocks() {
    choose();
    for (int i = 0; i < from.size(); i++) {
      Block block = from.get(i);
      if (kept[i].cardinality() == block.size() && block.memoryBytes() >= WHOLE_BYTES) {
        endBlock();
        left.add(block);
      } else {
        copy(block, kept[i]);
      }
    }
    endBlock();
    return left;
  }

  /// Goes from the last record to the first one: a key that is met again is that of an older
  /// record.
  private void choose() {
    KeySet keys = new KeySet(from);
    for (int i = from.size() - 1; i >= 0; i--) {
      Block block = from.get(i);
      BitSet those = new BitSet(block.size());
      for (int j = block.size() - 1; j >= 0; j--) {
        boolean isLast = keys.add(i, j);
        boolean isOver = !block.hasValue(j) && block.offset(j) < tombstonesBelow;
        those.set(j, isLast && !isOver);
      }
      kept[i] = those;
    }
  }

  private void copy(Block block, BitSet those) {
    for (int j = those.nextSetBit(0); j >= 0; j = those.nextSetBit(j + 1)) {
      int more = block.recordBytes(j);
      if (count == MOST_RECORDS || (count > 0 && bytes + more > MOST_BYTES)) {
        endBlock();
      }
      chosen[count] = block;
      indexes[count] = j;
      count++;
      bytes += more;
    }
  }

  private void endBlock() {
    if (count > 0) {
      left.add(Block.of(chosen, indexes, count, bytes));
    }
    count = 0;
    bytes = 0;
  }
}

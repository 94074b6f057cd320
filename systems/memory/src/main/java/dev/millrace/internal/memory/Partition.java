package dev.millrace.internal.memory;

import dev.millrace.spi.Log.Offsets;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One partition: blocks in the order of their offsets, the transactions that are open in it, and
/// who reads it. Guarded by the lock of the store, except [#stableEnd].
///
/// The end of a transaction takes an offset, as in Kafka, but nothing is kept for it. An aborted
/// transaction's blocks are removed at once, so all blocks below the stable end are committed.
final class Partition {
  /// How much is written at least before older records of a key are removed.
  private static final long LEAST_DIRTY_BYTES = 1 << 20;

  /// How many times as much may be written before whoever writes has to wait for that.
  private static final int OVERDUE = 4;

  private final Split split;
  private final Topic topic;
  private final TreeMap<Long, Block> blocks = new TreeMap<>();

  /// The offset of the first record of each open transaction, in that order.
  private final LinkedHashMap<Transaction, Long> open = new LinkedHashMap<>();

  private final List<Cursor> cursors = new ArrayList<>();
  private final Compaction compaction = new Compaction();
  private long start;
  private long end;
  private volatile long stableEnd;
  private long bytes;

  /// The bytes that the last compaction has left.
  private long cleanBytes;

  /// The bytes that were committed since.
  private long dirtyBytes;

  Partition(Split split, Topic topic) {
    this.split = split;
    this.topic = topic;
  }

  Split split() {
    return split;
  }

  Topic topic() {
    return topic;
  }

  Offsets offsets() {
    return new Offsets(start, stableEnd, end);
  }

  long start() {
    return start;
  }

  long end() {
    return end;
  }

  /// Returns the offset below which all is decided. Thread-safe.
  long stableEnd() {
    return stableEnd;
  }

  /// Returns the memory of its records.
  long bytes() {
    return bytes;
  }

  Compaction compaction() {
    return compaction;
  }

  /// Appends a block.
  ///
  /// @param transaction that it is part of; null if it is visible at once
  /// @return the offset after its last record
  long append(Block block, long nowMillis, @Nullable Transaction transaction) {
    block.place(end, nowMillis, transaction, topic.settings().stamps());
    if (transaction != null) {
      open.putIfAbsent(transaction, end);
    }
    blocks.put(end, block);
    bytes += block.memoryBytes();
    end += block.size();
    if (transaction == null) {
      dirtyBytes += block.memoryBytes();
      decided(nowMillis);
    }
    return end;
  }

  /// Ends a transaction that has written here.
  void end(Transaction transaction, boolean commit) {
    Long first = open.remove(transaction);
    if (first == null) {
      return; // the topic was deleted, or somebody has aborted it here
    }
    long lastMillis = 0;
    Iterator<Block> its = blocks.tailMap(first).values().iterator();
    while (its.hasNext()) {
      Block block = its.next();
      if (block.isOf(transaction)) {
        lastMillis = block.appendedMillis();
        if (commit) {
          block.committed();
          dirtyBytes += block.memoryBytes();
        } else {
          bytes -= block.memoryBytes();
          its.remove();
        }
      }
    }
    end++;
    decided(lastMillis);
  }

  private void decided(long nowMillis) {
    long before = stableEnd;
    Iterator<Long> firsts = open.values().iterator();
    stableEnd = firsts.hasNext() ? firsts.next() : end;
    expire(nowMillis);
    if (stableEnd > before) {
      cursors.forEach(Cursor::tell);
    }
  }

  /// Deletes what its topic keeps no longer.
  private void expire(long nowMillis) {
    TopicSettings settings = topic.settings();
    if (!settings.deletes() || (settings.retentionBytes() < 0 && settings.retentionMillis() < 0)) {
      return;
    }
    for (Map.Entry<Long, Block> each = blocks.firstEntry();
        each != null;
        each = blocks.firstEntry()) {
      Block oldest = each.getValue();
      boolean many = settings.retentionBytes() >= 0 && bytes > settings.retentionBytes();
      boolean old =
          settings.retentionMillis() >= 0
              && nowMillis - oldest.appendedMillis() > settings.retentionMillis();
      if (oldest.end() > stableEnd || !(many || old)) {
        return;
      }
      deleteBefore(oldest.end());
    }
  }

  /// Deletes the records below an offset, which is not beyond the stable end.
  void deleteBefore(long offset) {
    if (offset <= start) {
      return;
    }
    start = offset;
    Iterator<Block> its = blocks.headMap(offset).values().iterator();
    while (its.hasNext()) {
      Block block = its.next();
      if (block.end() <= offset) {
        bytes -= block.memoryBytes();
        its.remove();
      }
    }
    cursors.forEach(Cursor::tell);
  }

  /// Forgets all records, because the topic is gone.
  void clear() {
    blocks.clear();
    open.clear();
    bytes = 0;
    cleanBytes = 0;
    dirtyBytes = 0;
    cursors.forEach(Cursor::tell);
  }

  /// Adds a reader.
  void add(Cursor cursor) {
    cursors.add(cursor);
  }

  /// Removes a reader.
  void remove(Cursor cursor) {
    cursors.remove(cursor);
  }

  /// Collects committed blocks from an offset on, up to some bytes, but at least one if there is
  /// one.
  ///
  /// @return where reading goes on after them
  long collect(long from, long mostBytes, List<Block> into) {
    Map.Entry<Long, Block> floor = blocks.floorEntry(from);
    long first = floor != null && floor.getValue().end() > from ? floor.getKey() : from;
    long collected = 0;
    for (Block block : blocks.tailMap(first).values()) {
      if (block.first() >= stableEnd) {
        break;
      }
      if (collected >= mostBytes) {
        return block.first();
      }
      into.add(block);
      collected += block.memoryBytes();
    }
    return stableEnd;
  }

  /// Returns the first offset whose record is committed and not older than a time; the stable end
  /// if there is none.
  long offsetAt(long millis) {
    for (Block block : blocks.values()) {
      if (block.first() >= stableEnd) {
        break;
      }
      for (int i = 0; i < block.size(); i++) {
        if (block.timestamp(i) >= millis && block.offset(i) >= start) {
          return block.offset(i);
        }
      }
    }
    return stableEnd;
  }

  /// Returns the offset of the first record of each open transaction, in that order.
  Map<Transaction, Long> open() {
    return open;
  }

  // Compaction.

  /// Returns whether so much was committed that older records of a key should be removed.
  boolean isDirty() {
    return topic.settings().compacted() && dirtyBytes > tolerated();
  }

  /// Returns whether that is so urgent that whoever writes has to wait for it.
  boolean isOverdue() {
    return topic.settings().compacted() && dirtyBytes > OVERDUE * tolerated();
  }

  private long tolerated() {
    return Math.max(LEAST_DIRTY_BYTES, cleanBytes);
  }

  /// Returns the bytes that were committed since the last compaction.
  long dirtyBytes() {
    return dirtyBytes;
  }

  /// Returns the blocks that may be compacted: all that are committed.
  List<Block> committed() {
    return new ArrayList<>(blocks.headMap(stableEnd).values());
  }

  /// Returns the offset that the slowest reader reads next; the largest number if there is none.
  long slowest() {
    long slowest = Long.MAX_VALUE;
    for (Cursor cursor : cursors) {
      slowest = Math.min(slowest, cursor.next());
    }
    return slowest;
  }

  /// Replaces blocks that were [committed][#committed] by what compaction has left of them.
  ///
  /// @param before some offset beyond them
  /// @param dirty how many bytes of them were committed since the last compaction
  void replace(long before, long dirty, Collection<Block> by) {
    Map<Long, Block> replaced = blocks.headMap(before);
    replaced.values().forEach(block -> bytes -= block.memoryBytes());
    replaced.clear();
    dirtyBytes -= dirty;
    cleanBytes = 0;
    for (Block block : by) {
      if (block.end() > start) {
        blocks.put(block.first(), block);
        cleanBytes += block.memoryBytes();
      }
    }
    bytes += cleanBytes;
  }
}

package dev.millrace.testkit.log;

import dev.millrace.api.serde.Bytes;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Removes from compacted partitions what newer records replaced, as the log cleaner of Kafka does.
///
/// It works below the last stable offset and leaves alone the newest entries. Older records of a
/// key go at once, with the records of aborted transactions. A tombstone, or a marker whose
/// transaction has no records left, is given `delete.retention.ms` when it is first seen, and goes
/// with a later pass. The offsets of what is left never change.
final class Cleaner {
  private final ModelPartition partition;
  private final long nowMillis;
  private final long limit;
  private final TreeMap<Bytes, Long> latest = new TreeMap<>();

  private Cleaner(ModelPartition partition, long nowMillis, long limit) {
    this.partition = partition;
    this.nowMillis = nowMillis;
    this.limit = limit;
  }

  /// Cleans what may be cleaned.
  ///
  /// @param activeEntries how many of the newest entries are left alone
  static void clean(ModelPartition partition, long nowMillis, int activeEntries) {
    if (!partition.topic.isCompacted()) {
      return;
    }
    int before = partition.entries().size();
    long limit = limit(partition, nowMillis, activeEntries);
    new Cleaner(partition, nowMillis, limit).run();
    partition.trace().add("clean", partition.split, limit, before - partition.entries().size());
  }

  private static long limit(ModelPartition partition, long nowMillis, int activeEntries) {
    List<Entry> entries = partition.entries();
    long limit = partition.stableEnd();
    if (activeEntries > 0) {
      int active = entries.size() - activeEntries;
      limit = active < 0 ? 0 : Math.min(limit, entries.get(active).offset);
    }
    long lag = partition.topic.number("min.compaction.lag.ms");
    for (Entry entry : entries) {
      if (lag > 0 && entry.appendedMillis > nowMillis - lag) {
        return Math.min(limit, entry.offset);
      }
    }
    return limit;
  }

  private void run() {
    List<Entry> entries = partition.entries();
    for (Entry entry : entries) {
      Bytes key = keyOf(entry);
      if (entry.offset < limit && key != null && entry.isCommitted()) {
        latest.put(key, entry.offset);
      }
    }
    entries.removeIf(entry -> entry.offset < limit && !entry.isMarker() && !keeps(entry));
    for (Entry entry : entries) {
      if (entry.transaction != null) {
        entry.transaction.hasRecords = false;
      }
    }
    for (Entry entry : entries) {
      if (entry.transaction != null && !entry.isMarker()) {
        entry.transaction.hasRecords = true;
      }
    }
    entries.removeIf(entry -> entry.offset < limit && isEmptyEnd(entry) && hasWaitedEnough(entry));
  }

  private boolean keeps(Entry entry) {
    if (!entry.isCommitted()) {
      return false;
    }
    Bytes key = keyOf(entry);
    if (key == null) {
      return true;
    }
    boolean isLatest = latest.getOrDefault(key, -1L) == entry.offset;
    boolean isTombstone = entry.payload != null && entry.payload.value() == null;
    return isLatest && !(isTombstone && hasWaitedEnough(entry));
  }

  private static boolean isEmptyEnd(Entry entry) {
    return entry.isMarker() && entry.transaction != null && !entry.transaction.hasRecords;
  }

  private boolean hasWaitedEnough(Entry entry) {
    if (entry.removableMillis < 0) {
      entry.removableMillis = nowMillis + partition.topic.number("delete.retention.ms");
    }
    return nowMillis > entry.removableMillis;
  }

  private static @Nullable Bytes keyOf(Entry entry) {
    return entry.payload == null || entry.payload.key() == null
        ? null
        : Bytes.of(entry.payload.key());
  }
}

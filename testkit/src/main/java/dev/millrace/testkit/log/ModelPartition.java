package dev.millrace.testkit.log;

import dev.millrace.spi.Log.Offsets;
import dev.millrace.spi.Log.OpenTransaction;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One partition: entries in the order of their offsets, and who has transactions open in it.
final class ModelPartition {
  final Split split;
  final ModelTopic topic;
  private final LongSupplier millis;
  private final Trace trace;

  private final List<Entry> entries = new ArrayList<>();
  private final TreeMap<Long, Integer> epochByProducer = new TreeMap<>();
  private final TreeMap<Long, PartitionTransaction> openByProducer = new TreeMap<>();

  /// The first offset of each leader epoch.
  private final TreeMap<Integer, Long> leaderEpochs = new TreeMap<>();

  private long start;
  private long end;

  ModelPartition(Split split, ModelTopic topic, LongSupplier millis, Trace trace) {
    this.split = split;
    this.topic = topic;
    this.millis = millis;
    this.trace = trace;
    leaderEpochs.put(0, 0L);
  }

  /// The entries that are left, in order; the cleaner replaces some of them.
  List<Entry> entries() {
    return entries;
  }

  Trace trace() {
    return trace;
  }

  Offsets offsets() {
    return new Offsets(start, stableEnd(), end);
  }

  long start() {
    return start;
  }

  long end() {
    return end;
  }

  /// The last stable offset: what is below is decided.
  long stableEnd() {
    long first = end;
    for (PartitionTransaction open : openByProducer.values()) {
      first = Math.min(first, open.firstOffset);
    }
    return Math.max(start, first);
  }

  int leaderEpoch() {
    return leaderEpochs.lastKey();
  }

  /// The transactions that hold back the last stable offset, the first one first.
  List<OpenTransaction> openTransactions(int coordinatorEpoch) {
    return openByProducer.values().stream()
        .map(open ->
            new OpenTransaction(
                open.producerId,
                open.epoch,
                coordinatorEpoch,
                open.firstOffset,
                open.transactionalId))
        .sorted((one, other) -> Long.compare(one.firstOffset(), other.firstOffset()))
        .toList();
  }

  /// The index of the first entry that is left at an offset or behind it.
  int indexOf(long offset) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.get(middle).offset < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The epoch of a producer that has written here, or -1.
  int epochOf(long producerId) {
    return epochByProducer.getOrDefault(producerId, -1);
  }

  @Nullable PartitionTransaction openOf(long producerId) {
    return openByProducer.get(producerId);
  }

  /// Appends records outside any transaction.
  ///
  /// @return the offset of the first of them
  long append(List<Payload> payloads) {
    return append(payloads, null);
  }

  /// Appends records of a producer's transaction, which begins here if it was not open.
  ///
  /// @return the offset of the first of them
  long append(List<Payload> payloads, long producerId, int epoch, String transactionalId) {
    epochByProducer.put(producerId, epoch);
    PartitionTransaction open =
        openByProducer.computeIfAbsent(
            producerId, id -> new PartitionTransaction(id, epoch, transactionalId, end));
    return append(payloads, open);
  }

  private long append(List<Payload> payloads, @Nullable PartitionTransaction transaction) {
    long first = end;
    long content = payloads.size();
    for (Payload payload : payloads) {
      content = content * 31 + payload.contentHash();
      Payload kept = topic.stampsOnAppend() ? payload.at(millis.getAsLong()) : payload;
      add(new Entry(end, leaderEpoch(), transaction, kept, millis.getAsLong()));
    }
    trace.add("append", split, first, content);
    return first;
  }

  /// Writes the marker that ends a producer's transaction here, if it has one. A marker older than
  /// what is known of the producer is dropped.
  void end(long producerId, int epoch, boolean commit) {
    if (epoch < epochOf(producerId)) {
      trace.add("stale marker", split, producerId, epoch);
      return;
    }
    epochByProducer.put(producerId, epoch);
    PartitionTransaction open = openByProducer.remove(producerId);
    PartitionTransaction ended =
        open != null ? open : new PartitionTransaction(producerId, epoch, "", end);
    ended.state =
        commit ? PartitionTransaction.State.COMMITTED : PartitionTransaction.State.ABORTED;
    ended.markerOffset = end;
    trace.add(commit ? "commit marker" : "abort marker", split, end, producerId);
    add(new Entry(end, leaderEpoch(), ended, null, millis.getAsLong()));
  }

  private void add(Entry entry) {
    entries.add(entry);
    end++;
  }

  /// Removes everything below an offset.
  void deleteBefore(long offset) {
    if (offset > start) {
      start = offset;
      entries.subList(0, indexOf(offset)).clear();
      trace.add("delete before", split, offset, 0);
    }
  }

  /// The offset of the first decided record that is not older, or the stable end.
  long offsetAt(long time) {
    long stableEnd = stableEnd();
    for (Entry entry : entries) {
      if (entry.offset >= stableEnd) {
        break;
      }
      if (entry.payload != null && entry.payload.timestamp() >= time) {
        return entry.offset;
      }
    }
    return stableEnd;
  }

  /// The records below the last stable offset that are committed, in order.
  List<ModelRecord> committed() {
    long stableEnd = stableEnd();
    return entries.stream()
        .filter(entry -> entry.offset < stableEnd && entry.isCommitted())
        .map(entry -> entry.record().toRecord(entry.offset))
        .toList();
  }

  /// The records of transactions that are open here, in order.
  List<ModelRecord> undecided() {
    return entries.stream()
        .filter(entry ->
            entry.transaction != null
                && entry.payload != null
                && entry.transaction.state == PartitionTransaction.State.OPEN)
        .map(entry -> entry.record().toRecord(entry.offset))
        .toList();
  }

  /// Begins a new leader epoch.
  void electLeader() {
    leaderEpochs.put(leaderEpoch() + 1, end);
  }

  /// Loses everything from an offset on, as after an unclean election. A transaction whose marker
  /// is lost is open again, and nobody will end it.
  void truncate(long offset) {
    if (offset < start || offset > end) {
      throw new IllegalArgumentException(split + " has no offset " + offset + " to cut at.");
    }
    List<Entry> lost = entries.subList(indexOf(offset), entries.size());
    for (Entry entry : List.copyOf(lost)) {
      PartitionTransaction transaction = entry.transaction;
      if (transaction == null) {
        continue;
      }
      if (transaction.firstOffset >= offset) {
        openByProducer.remove(transaction.producerId, transaction);
      } else if (entry.isMarker()) {
        transaction.state = PartitionTransaction.State.OPEN;
        transaction.markerOffset = -1;
        openByProducer.put(transaction.producerId, transaction);
        epochByProducer.put(transaction.producerId, transaction.epoch);
      }
    }
    lost.clear();
    end = offset;
    int next = leaderEpoch() + 1;
    leaderEpochs.values().removeIf(first -> first >= offset && first > 0);
    leaderEpochs.put(next, offset);
    trace.add("truncate", split, offset, next);
  }

  /// The offset behind the last record that could have been written up to a leader epoch.
  long endOfLeaderEpoch(int epoch) {
    Map.Entry<Integer, Long> next = leaderEpochs.higherEntry(epoch);
    return next == null ? end : next.getValue();
  }
}

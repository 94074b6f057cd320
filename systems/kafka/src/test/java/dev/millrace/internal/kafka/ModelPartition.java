package dev.millrace.internal.kafka;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;

/// The log of a partition of a [ModelCluster], and what its leader knows of producers.
public final class ModelPartition {
  private static final int REMEMBERED = 5;
  private static final long TIME = 1_700_000_000_000L;
  private static final int MOST_BATCHES = 4;

  private record Batch(byte[] bytes, long base, long last, long producerId, boolean transactional) {
    boolean isMarker() {
      return MemoryRecords.readableRecords(ByteBuffer.wrap(bytes))
          .batches()
          .iterator()
          .next()
          .isControlBatch();
    }
  }

  private record Appended(int firstSequence, long offset) {}

  private record Aborted(long producerId, long first, long last) {}

  private static final class Producer {
    int epoch = -1;
    int nextSequence;
    final Deque<Appended> last = new ArrayDeque<>();
  }

  private final List<Batch> batches = new ArrayList<>();
  private final List<Aborted> aborted = new ArrayList<>();
  private final Map<Long, Producer> producers = new HashMap<>();
  private final Map<Long, Long> open = new HashMap<>();

  /// The first offset of each leader epoch.
  private final TreeMap<Integer, Long> epochs = new TreeMap<>(Map.of(0, 0L));

  private int port;
  private long end;

  ModelPartition(int port) {
    this.port = port;
  }

  int port() {
    return port;
  }

  int epoch() {
    return epochs.lastKey();
  }

  public long end() {
    return end;
  }

  /// Another broker leads it.
  public void move() {
    port = port == ModelCluster.FIRST_PORT ? ModelCluster.SECOND_PORT : ModelCluster.FIRST_PORT;
    epochs.put(epoch() + 1, end);
  }

  /// A broker leads it that did not have the end of the log. Nothing is open in what is left.
  ///
  /// @param offset from which on everything is lost, and what belongs to a transaction of it
  public void loseEnd(long offset) {
    int next = epoch() + 1;
    batches.removeIf(batch -> batch.last >= offset);
    while (!batches.isEmpty() && !batches.getLast().isMarker()) {
      batches.removeLast();
    }
    end = batches.isEmpty() ? 0 : batches.getLast().last + 1;
    aborted.removeIf(each -> each.last >= end);
    epochs.values().removeIf(first -> first >= end && first > 0);
    port = port == ModelCluster.FIRST_PORT ? ModelCluster.SECOND_PORT : ModelCluster.FIRST_PORT;
    epochs.put(next, end);
  }

  private long stableEnd() {
    return open.values().stream().mapToLong(Long::longValue).min().orElse(end);
  }

  PartitionProduceResponse append(
      MemoryRecords records, RecordBatch batch, PartitionProduceResponse answer) {
    Producer producer = producers.computeIfAbsent(batch.producerId(), id -> new Producer());
    if (batch.producerEpoch() < producer.epoch) {
      return answer.setErrorCode(Errors.INVALID_PRODUCER_EPOCH.code());
    }
    if (batch.producerEpoch() > producer.epoch) {
      if (batch.baseSequence() != 0) {
        return answer.setErrorCode(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER.code());
      }
      producer.epoch = batch.producerEpoch();
      producer.nextSequence = 0;
      producer.last.clear();
    }
    for (Appended each : producer.last) {
      if (each.firstSequence == batch.baseSequence()) {
        return answer.setBaseOffset(each.offset);
      }
    }
    if (batch.baseSequence() != producer.nextSequence) {
      return answer.setErrorCode(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER.code());
    }
    producer.nextSequence = batch.lastSequence() + 1;
    producer.last.addLast(new Appended(batch.baseSequence(), end));
    if (producer.last.size() > REMEMBERED) {
      producer.last.removeFirst();
    }
    if (batch.isTransactional()) {
      open.putIfAbsent(batch.producerId(), end);
    }
    answer.setBaseOffset(end);
    append(records, batch.isTransactional());
    return answer;
  }

  private void append(MemoryRecords records, boolean transactional) {
    byte[] bytes = new byte[records.sizeInBytes()];
    records.buffer().duplicate().get(bytes);
    MutableRecordBatch stored =
        MemoryRecords.readableRecords(ByteBuffer.wrap(bytes)).batches().iterator().next();
    stored.setPartitionLeaderEpoch(epoch());
    long delta = stored.lastOffset() - stored.baseOffset();
    stored.setLastOffset(end + delta);
    batches.add(new Batch(bytes, end, end + delta, stored.producerId(), transactional));
    end += delta + 1;
  }

  /// Ends a transaction.
  public void end(long producerId, short producerEpoch, boolean commit) {
    Long first = open.remove(producerId);
    if (first == null) {
      return;
    }
    if (!commit) {
      aborted.add(new Aborted(producerId, first, end));
    }
    ControlRecordType type = commit ? ControlRecordType.COMMIT : ControlRecordType.ABORT;
    append(
        MemoryRecords.withEndTransactionMarker(
            0, TIME, epoch(), producerId, producerEpoch, new EndTransactionMarker(type, 0)),
        true);
  }

  void fetch(int at, FetchPartition asked, PartitionData data) {
    if (at != port) {
      data.setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code());
    } else if (asked.currentLeaderEpoch() >= 0 && asked.currentLeaderEpoch() != epoch()) {
      Errors error =
          asked.currentLeaderEpoch() < epoch()
              ? Errors.FENCED_LEADER_EPOCH
              : Errors.UNKNOWN_LEADER_EPOCH;
      data.setErrorCode(error.code());
    } else if (diverges(asked)) {
      int known = lastEpoch(asked);
      data.setHighWatermark(end).setLastStableOffset(stableEnd()).setLogStartOffset(0);
      data.setDivergingEpoch(new EpochEndOffset().setEpoch(known).setEndOffset(endOf(known)));
    } else if (asked.fetchOffset() > end) {
      data.setErrorCode(Errors.OFFSET_OUT_OF_RANGE.code());
    } else {
      data.setHighWatermark(end).setLastStableOffset(stableEnd()).setLogStartOffset(0);
      read(asked.fetchOffset(), data);
    }
  }

  /// Whether what was read before the position that is asked for is in no log any more, as a broker
  /// finds by the leader epoch of the last record that was read.
  private boolean diverges(FetchPartition asked) {
    return asked.lastFetchedEpoch() >= 0
        && (lastEpoch(asked) < asked.lastFetchedEpoch()
            || endOf(lastEpoch(asked)) < asked.fetchOffset());
  }

  private int lastEpoch(FetchPartition asked) {
    return Objects.requireNonNullElse(epochs.floorKey(asked.lastFetchedEpoch()), -1);
  }

  private long endOf(int epoch) {
    Map.Entry<Integer, Long> next = epochs.higherEntry(epoch);
    return next == null ? end : next.getValue();
  }

  private void read(long from, PartitionData data) {
    List<Batch> found =
        batches.stream()
            .filter(batch -> batch.last >= from && batch.last < stableEnd())
            .limit(MOST_BATCHES)
            .toList();
    ByteBuffer all = ByteBuffer.allocate(found.stream().mapToInt(each -> each.bytes.length).sum());
    found.forEach(each -> all.put(each.bytes));
    data.setRecords(MemoryRecords.readableRecords(all.flip()));
    List<AbortedTransaction> told = new ArrayList<>();
    long last = found.isEmpty() ? -1 : found.getLast().last;
    for (Aborted each : aborted) {
      if (each.last >= from && each.first <= last) {
        told.add(
            new AbortedTransaction().setProducerId(each.producerId).setFirstOffset(each.first));
      }
    }
    data.setAbortedTransactions(told);
  }

  /// Shows what readers of committed records may see.
  void committed(BiConsumer<Long, ByteBuffer> visitor) {
    for (Batch batch : batches) {
      boolean lost =
          batch.transactional
              && aborted.stream()
                  .anyMatch(each ->
                      each.producerId == batch.producerId
                          && each.first <= batch.base
                          && each.last >= batch.last);
      MemoryRecords.readableRecords(ByteBuffer.wrap(batch.bytes))
          .batches()
          .forEach(each -> {
            if (!lost && !each.isControlBatch() && batch.last < stableEnd()) {
              each.forEach(record -> visitor.accept(record.offset(), record.value()));
            }
          });
    }
  }
}

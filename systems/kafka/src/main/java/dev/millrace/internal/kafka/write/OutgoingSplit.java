package dev.millrace.internal.kafka.write;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.kafka.wire.BatchArrays;
import dev.millrace.internal.kafka.wire.BatchEncoder;
import dev.millrace.internal.kafka.wire.EncodedBatch;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/// The unacknowledged records of one partition, in order.
final class OutgoingSplit {
  /// A batch that is under way or waits to be sent.
  static final class Pending {
    private final EncodedBatch batch;
    private final List<Transaction.Sent> sent;
    private final int sequence;
    private boolean refused;
    private long firstSentNanos;

    private Pending(EncodedBatch batch, List<Transaction.Sent> sent, int sequence) {
      this.batch = batch;
      this.sent = sent;
      this.sequence = sequence;
    }

    EncodedBatch batch() {
      return batch;
    }

    /// Of its first record.
    int sequence() {
      return sequence;
    }
  }

  final Split split;
  final TopicPartition partition;
  private final BatchEncoder encoder;
  private final int batchBytes;
  private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
  private final ArrayDeque<Pending> underWay = new ArrayDeque<>();

  /// Whose records are being gathered.
  private final List<Transaction.Sent> gathered = new ArrayList<>();

  private long addedBytes;
  private int nextSequence;

  /// Whether a broker has taken the first batch of this transaction. Until then nothing may follow
  /// it: the broker is still adding the partition to the transaction.
  private boolean known;

  /// Whether something was refused and is to be sent again once nothing is under way any more.
  private boolean again;

  private long notBeforeNanos;
  private boolean paused;
  private boolean failed;

  /// @param arrays to write batches into
  OutgoingSplit(Split split, ProduceQueue.Settings settings, BatchArrays arrays) {
    this.split = split;
    partition = new TopicPartition(split.stream(), split.partition());
    batchBytes = settings.batchBytes();
    encoder = new BatchEncoder(settings.compression(), batchBytes, arrays, this::enqueue);
  }

  void begin() {
    if (!isEmpty()) {
      throw new IllegalStateException("Records for " + split + " were not sent.");
    }
    nextSequence = 0;
    known = false;
    failed = false;
    paused = false;
  }

  /// @return the bytes of batches that became complete
  long add(Transaction.Sent sent, RecordBatch batch, int largestBatchBytes, Bytes view) {
    addedBytes = 0;
    gathered.add(sent);
    encoder.limit(Math.min(batchBytes, largestBatchBytes));
    encoder.add(batch, view);
    return addedBytes;
  }

  /// @return its bytes
  long finishBatch() {
    addedBytes = 0;
    encoder.finish();
    gathered.clear();
    return addedBytes;
  }

  private void enqueue(EncodedBatch batch) {
    waiting.add(new Pending(batch, List.copyOf(gathered), nextSequence));
    addedBytes += batch.length();
    nextSequence = sequenceBehind(nextSequence, batch.count());
    // Records of the last one may go on in the next batch.
    if (gathered.size() > 1) {
      Transaction.Sent last = gathered.getLast();
      gathered.clear();
      gathered.add(last);
    }
  }

  /// Returns the sequence after some records; sequences continue at 0 after the largest number.
  private static int sequenceBehind(int sequence, int count) {
    long behind = (long) sequence + count;
    return (int) (behind > Integer.MAX_VALUE ? behind - Integer.MAX_VALUE - 1 : behind);
  }

  /// Returns whether it belongs to the transaction as far as its broker is concerned.
  boolean isKnown() {
    return known;
  }

  boolean isEmpty() {
    return waiting.isEmpty() && underWay.isEmpty() && encoder.gatheredBytes() == 0;
  }

  boolean isIdle() {
    return waiting.isEmpty() && underWay.isEmpty();
  }

  boolean canSend(int mostUnderWay, long nowNanos) {
    return !waiting.isEmpty()
        && !again
        && !failed
        && underWay.size() < (known ? mostUnderWay : 1)
        && (!paused || nowNanos - notBeforeNanos >= 0);
  }

  boolean isOverdue(long nowNanos, Duration patience) {
    Pending first = waiting.getFirst();
    if (first.firstSentNanos == 0) {
      first.firstSentNanos = nowNanos;
    }
    return nowNanos - first.firstSentNanos > patience.toNanos();
  }

  Pending take(long nowNanos) {
    Pending pending = waiting.removeFirst();
    pending.refused = false;
    if (pending.firstSentNanos == 0) {
      pending.firstSentNanos = nowNanos;
    }
    paused = false;
    underWay.addLast(pending);
    return pending;
  }

  boolean isFirst(Pending pending) {
    return underWay.peekFirst() == pending;
  }

  /// @param baseOffset of its first record, -1 if the broker does not know any more
  /// @return its bytes
  long acknowledge(Pending pending, long baseOffset) {
    if (!underWay.remove(pending)) {
      return 0;
    }
    known = true;
    long end = baseOffset < 0 ? -1 : baseOffset + pending.batch.count();
    pending.sent.forEach(each -> each.acknowledge(end));
    bringBack();
    // What was sent before and not answered went with its connection.
    pending.batch.release();
    return pending.batch.length();
  }

  /// Schedules a batch again that was not accepted, or whose outcome is unknown.
  void sendAgain(Pending pending, long whenNanos) {
    if (!underWay.contains(pending)) {
      return;
    }
    pending.refused = true;
    again = true;
    notBeforeNanos = whenNanos;
    bringBack();
  }

  /// Returns refused batches to the queue. Only when all answers have arrived is it known which are
  /// to be sent again, and in which order.
  private void bringBack() {
    if (!again || !underWay.stream().allMatch(each -> each.refused)) {
      return;
    }
    List<Pending> back = new ArrayList<>(underWay);
    underWay.clear();
    Collections.reverse(back);
    back.forEach(waiting::addFirst);
    again = false;
    paused = true;
    known = false;
  }

  /// Drops all batches of the transaction of a batch.
  void fail(Pending pending, String why) {
    failed = true;
    pending.sent.getLast().fail(why);
  }

  /// Returns the batch that goes next, which must be there.
  Pending first() {
    return waiting.getFirst();
  }

  void drop() {
    waiting.clear();
    underWay.clear();
    encoder.clear();
    gathered.clear();
    again = false;
    failed = false;
    paused = false;
  }
}

package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.client.PositionDetail;
import dev.millrace.internal.kafka.wire.BatchDecoder;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayDeque;
import java.util.Collection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/// What a reader knows of a split that it reads.
public final class ReadSplit implements BatchDecoder.Reading {
  /// How far reading has come.
  enum State {
    /// Its position is to be found in the log.
    UNCHECKED,
    READING,
    FAILED
  }

  private static final int OTHERS_SAID = 20;
  private static final byte[] NO_DETAIL = {};

  final Split split;
  final TopicPartition partition;

  /// Fetched and not returned yet.
  final ArrayDeque<RecordBatch> ready = new ArrayDeque<>();

  State state = State.UNCHECKED;

  /// The consumer's position.
  long next;

  /// Of the record before that position, as far as known.
  int leaderEpoch = PositionDetail.UNKNOWN_EPOCH;

  /// Null until the topic was found for the first time.
  @Nullable Uuid topicId;

  /// The last stable offset, -1 if not known.
  long stableEnd = -1;

  /// When that was heard of; see [EndCheck].
  long heardNanos;

  /// The memory of what is ready, as it was last counted; see [KafkaReader].
  long countedBytes;

  /// By the owner of the reader.
  boolean paused;

  /// By the reader, because enough is ready.
  boolean held;

  /// When the topic was first not found any more, 0 if it is there.
  long missingSinceNanos;

  @Nullable LogException failure;
  private byte[] detail = NO_DETAIL;
  private int detailEpoch;

  public ReadSplit(Split split, Position start) {
    this.split = split;
    partition = new TopicPartition(split.stream(), split.partition());
    next = start.offset();
    PositionDetail from = PositionDetail.decode(start.detail());
    if (from != null) {
      topicId = from.topicId();
      leaderEpoch = from.leaderEpoch();
    }
  }

  @Override
  public Split split() {
    return split;
  }

  @Override
  public long next() {
    return next;
  }

  @Override
  public void take(RecordBatch batch, int epoch) {
    ready.add(batch);
    next = batch.nextOffset();
    leaderEpoch = epoch;
  }

  /// What stands in the detail of positions in records of this leader epoch.
  @Override
  public byte[] detail(int epoch) {
    if (detail.length == 0 || epoch != detailEpoch) {
      Uuid id = topicId == null ? Uuid.ZERO_UUID : topicId;
      detail = new PositionDetail(id, epoch).encode();
      detailEpoch = epoch;
    }
    return detail;
  }

  boolean hasReady() {
    return !paused && !ready.isEmpty();
  }

  /// The memory of what is ready.
  long readyBytes() {
    long bytes = 0;
    for (RecordBatch batch : ready) {
      bytes += batch.memoryBytes();
    }
    return bytes;
  }

  /// @param why a sentence, with what was found and the way out
  void lose(String why) {
    fail(Kind.POSITION_LOST, "Position %d of %s is lost: %s".formatted(next, split, why));
  }

  void fail(Kind kind, String message) {
    fail(new LogException(kind, split, message, null));
  }

  void fail(LogException why) {
    state = State.FAILED;
    failure = why;
  }

  /// The failure of a split, whose message also has those of others: a person who mends one of them
  /// wants to know of all.
  static LogException failure(LogException first, Collection<ReadSplit> splits) {
    StringBuilder message = new StringBuilder(String.valueOf(first.getMessage()));
    int others = 0;
    for (ReadSplit each : splits) {
      LogException other = each.failure;
      if (other != null && other != first && others++ < OTHERS_SAID) {
        message.append('\n').append(other.getMessage());
      }
    }
    return others == 0
        ? first
        : new LogException(first.kind(), first.split(), message.toString(), first.getCause());
  }
}

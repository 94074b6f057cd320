package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.client.PositionDetail;
import dev.millrace.internal.kafka.wire.BatchDecoder;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayDeque;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/// Where a [RecordFetcher] stands in a split, and the batches that it has fetched up to there.
public final class SplitPosition implements BatchDecoder.Reading {
  private static final byte[] NO_DETAIL = {};

  final TopicPartition partition;

  /// Fetched and not returned by the reader yet.
  final ArrayDeque<RecordBatch> ready = new ArrayDeque<>();

  private final Split split;
  private long next;
  private int leaderEpoch = PositionDetail.UNKNOWN_EPOCH;
  private @Nullable Uuid topicId;
  private long stableEnd = -1;
  private long heardNanos;
  private byte[] detail = NO_DETAIL;
  private int detailEpoch;

  public SplitPosition(Split split, Position start) {
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

  /// Returns the leader epoch of the record before [#next], as far as known.
  int leaderEpoch() {
    return leaderEpoch;
  }

  /// Returns the id of the topic; null until it was found for the first time.
  @Nullable Uuid topicId() {
    return topicId;
  }

  void topicId(Uuid found) {
    topicId = found;
  }

  /// Returns the last stable offset, -1 if it is not known.
  long stableEnd() {
    return stableEnd;
  }

  void stableEnd(long end) {
    stableEnd = Math.max(stableEnd, end);
  }

  /// Returns when [#stableEnd] was heard of; see [EndCheck].
  long heardNanos() {
    return heardNanos;
  }

  void heard(long nanos) {
    heardNanos = nanos;
  }

  @Override
  public void take(RecordBatch batch, int epoch) {
    ready.add(batch);
    move(batch.nextOffset(), epoch);
  }

  void move(long offset, int epoch) {
    next = offset;
    leaderEpoch = epoch;
  }

  /// Returns the detail of positions in records of this leader epoch.
  @Override
  public byte[] detail(int epoch) {
    if (detail.length == 0 || epoch != detailEpoch) {
      Uuid id = topicId == null ? Uuid.ZERO_UUID : topicId;
      detail = new PositionDetail(id, epoch).encode();
      detailEpoch = epoch;
    }
    return detail;
  }
}

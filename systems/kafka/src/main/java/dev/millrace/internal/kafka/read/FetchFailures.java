package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.wire.Wire;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchResponse;

/// What brokers answer instead of records: some of it is asked for again after a pause, and the
/// rest is thrown, one at a time, by the poll that hears of it.
final class FetchFailures {
  private final Wire wire;
  private final long pauseNanos;
  private final Consumer<SplitPosition> stopped;

  /// Of splits whose request failed: not asked for before then.
  private final Map<SplitPosition, Long> notBeforeNanos = new HashMap<>();

  private final Queue<KafkaException> untold = new ArrayDeque<>();

  /// @param pauseNanos before something is tried again
  /// @param stopped takes the splits of which nothing more is to be fetched before they are sought
  FetchFailures(Wire wire, long pauseNanos, Consumer<SplitPosition> stopped) {
    this.wire = wire;
    this.pauseNanos = pauseNanos;
    this.stopped = stopped;
  }

  /// @throws KafkaException that was not thrown yet, if there is one
  void throwNext() {
    KafkaException failure = untold.poll();
    if (failure != null) {
      throw failure;
    }
  }

  void add(KafkaException failure) {
    untold.add(failure);
  }

  /// Forgets all splits but these.
  void retain(Collection<SplitPosition> splits) {
    notBeforeNanos.keySet().retainAll(splits);
  }

  void forget(SplitPosition split) {
    notBeforeNanos.remove(split);
  }

  /// Whether a split is not asked for now.
  boolean isPausing(SplitPosition split, long nowNanos) {
    if (notBeforeNanos.isEmpty()) {
      return false;
    }
    Long until = notBeforeNanos.get(split);
    return until != null && nowNanos - until < 0;
  }

  /// Has a split asked for again after the pause.
  void pause(SplitPosition split) {
    notBeforeNanos.put(split, System.nanoTime() + pauseNanos);
  }

  /// Takes what is wrong with a split, if anything is.
  ///
  /// @return whether its records, if any, can be taken
  boolean accept(SplitPosition split, PartitionData told) {
    Errors error = Errors.forCode(told.errorCode());
    if (error != Errors.NONE) {
      refused(split, error);
    } else if (FetchResponse.isDivergingEpoch(told)) {
      EpochEndOffset diverging = told.divergingEpoch();
      stop(
          split,
          new LogTruncationException(
              Map.of(split.partition, split.next()),
              diverging.endOffset() < 0
                  ? Map.of()
                  : Map.of(
                      split.partition,
                      new OffsetAndMetadata(
                          diverging.endOffset(), Optional.of(diverging.epoch()), ""))));
    } else {
      return true;
    }
    return false;
  }

  private void refused(SplitPosition split, Errors error) {
    switch (error) {
      case OFFSET_OUT_OF_RANGE ->
          stop(split, new OffsetOutOfRangeException(Map.of(split.partition, split.next())));
      case TOPIC_AUTHORIZATION_FAILED ->
          stop(split, new TopicAuthorizationException(Set.of(split.split().stream())));
      case UNKNOWN_LEADER_EPOCH, FENCED_LEADER_EPOCH -> again(split);
      default -> {
        // What is corrupt in the broker's log stays so, and somebody must hear of it.
        if (error.exception() instanceof RetriableException && error != Errors.CORRUPT_MESSAGE) {
          again(split);
        } else {
          stop(
              split,
              new KafkaException(
                  "%s cannot be read at offset %d: %s"
                      .formatted(split.partition, split.next(), error.message()),
                  error.exception()));
        }
      }
    }
  }

  /// Has nothing more fetched of a split before it is sought.
  void stop(SplitPosition split, KafkaException why) {
    stopped.accept(split);
    add(why);
  }

  private void again(SplitPosition split) {
    wire.refresh();
    pause(split);
  }
}

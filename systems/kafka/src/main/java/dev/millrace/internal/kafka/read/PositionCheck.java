package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.internal.kafka.client.PositionDetail;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/// Asks the cluster, without waiting, whether the splits of a reader are still the ones it began to
/// read, and whether new positions are in their logs.
///
/// The consumer knows topics by name and would read on in one that was deleted and created again;
/// it can do so only after it has heard of the new one, so the topics are looked at whenever it has
/// heard anything. What is asked then may be answered by a broker that has not heard of it itself:
/// a reader is told a moment later, and its positions hold the id of the topic that it knew.
final class PositionCheck {
  /// How long a topic may be unknown that was there: brokers hear of new topics one after the
  /// other.
  private static final long MISSING_NANOS = 1_000_000_000L;

  private final Admin admin;
  private final int metadataUpdates;
  private final Collection<ReadSplit> splits;
  private final List<ReadSplit> unchecked = new ArrayList<>();
  private final Map<String, KafkaFuture<TopicDescription>> topics;

  /// Asked for at once: they count for splits whose topics turn out to be there.
  private final Map<ReadSplit, KafkaFuture<ListOffsetsResultInfo>> starts;

  private final Map<ReadSplit, KafkaFuture<ListOffsetsResultInfo>> ends;
  private boolean topicsLookedAt;

  /// @param metadataUpdates what the consumer had heard when the check began
  PositionCheck(Admin admin, Collection<ReadSplit> splits, int metadataUpdates) {
    this.admin = admin;
    this.metadataUpdates = metadataUpdates;
    this.splits = List.copyOf(splits);
    List<String> names = splits.stream().map(each -> each.split.stream()).distinct().toList();
    topics = admin.describeTopics(names).topicNameValues();
    List<ReadSplit> added =
        splits.stream().filter(each -> each.state == ReadSplit.State.UNCHECKED).toList();
    starts = ask(added, OffsetSpec.earliest());
    ends = ask(added, OffsetSpec.latest());
  }

  int metadataUpdates() {
    return metadataUpdates;
  }

  /// Goes on with what was answered.
  ///
  /// @return whether the check is done: what is wrong with a split stands in the split
  /// @throws LogException if the cluster cannot tell; then the check is over
  boolean isDone(long nowNanos) {
    if (!topicsLookedAt) {
      if (!topics.values().stream().allMatch(KafkaFuture::isDone)) {
        return false;
      }
      topicsLookedAt = true;
      splits.forEach(split -> lookAtTopic(split, nowNanos));
    }
    if (!allDone(starts) || !allDone(ends)) {
      return false;
    }
    unchecked.forEach(this::lookAtOffsets);
    return true;
  }

  /// The splits whose positions were found in their logs, to be read from there.
  List<ReadSplit> found() {
    return unchecked.stream().filter(split -> split.state == ReadSplit.State.UNCHECKED).toList();
  }

  private boolean allDone(Map<ReadSplit, KafkaFuture<ListOffsetsResultInfo>> futures) {
    return unchecked.stream().allMatch(each -> Objects.requireNonNull(futures.get(each)).isDone());
  }

  private void lookAtTopic(ReadSplit split, long nowNanos) {
    if (split.state == ReadSplit.State.FAILED) {
      return;
    }
    TopicDescription topic = null;
    try {
      topic =
          result(
              "Looking for topic " + split.split.stream(),
              Objects.requireNonNull(topics.get(split.split.stream())));
    } catch (LogException e) {
      if (e.kind() == Kind.UNAVAILABLE) {
        throw e;
      }
      if (e.kind() != Kind.MISSING) {
        split.fail(
            new LogException(
                e.kind(), split.split, Objects.requireNonNull(e.getMessage()), e.getCause()));
        return;
      }
    }
    if (topic == null || split.split.partition() >= topic.partitions().size()) {
      lookAtMissing(split, nowNanos);
      return;
    }
    split.missingSinceNanos = 0;
    Uuid known = split.position.topicId();
    if (known != null && !known.equals(topic.topicId())) {
      split.lose(
          ("it belongs to the topic with id %s, and the topic of that name now has id %s. It was"
                  + " deleted and created again.")
              .formatted(known, topic.topicId()));
      return;
    }
    split.position.topicId(topic.topicId());
    if (split.state == ReadSplit.State.UNCHECKED && starts.containsKey(split)) {
      unchecked.add(split);
    }
  }

  private void lookAtMissing(ReadSplit split, long nowNanos) {
    boolean wasThere = split.state == ReadSplit.State.READING;
    if (wasThere && split.missingSinceNanos == 0) {
      split.missingSinceNanos = nowNanos;
    }
    if (!wasThere || nowNanos - split.missingSinceNanos > MISSING_NANOS) {
      split.fail(
          Kind.MISSING,
          "%s does not exist. Create the topic with enough partitions, or correct its name."
              .formatted(split.split));
    }
  }

  private Map<ReadSplit, KafkaFuture<ListOffsetsResultInfo>> ask(
      List<ReadSplit> added, OffsetSpec which) {
    if (added.isEmpty()) {
      return Map.of();
    }
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    added.forEach(split -> asked.put(split.position.partition, which));
    ListOffsetsResult answers = admin.listOffsets(asked);
    Map<ReadSplit, KafkaFuture<ListOffsetsResultInfo>> futures = new HashMap<>();
    added.forEach(split -> futures.put(split, answers.partitionResult(split.position.partition)));
    return futures;
  }

  private void lookAtOffsets(ReadSplit split) {
    ListOffsetsResultInfo start;
    ListOffsetsResultInfo end;
    try {
      String what = "Looking for position " + split.position.next() + " of " + split.split;
      start = result(what, Objects.requireNonNull(starts.get(split)));
      end = result(what, Objects.requireNonNull(ends.get(split)));
    } catch (LogException e) {
      if (e.kind() == Kind.UNAVAILABLE) {
        throw e;
      }
      split.fail(
          new LogException(
              e.kind(), split.split, Objects.requireNonNull(e.getMessage()), e.getCause()));
      return;
    }
    int latestEpoch = end.leaderEpoch().orElse(PositionDetail.UNKNOWN_EPOCH);
    if (split.position.next() < start.offset()) {
      split.lose(
          ("the log starts at %d. Its retention, or somebody, deleted what was not read" + " yet.")
              .formatted(start.offset()));
    } else if (split.position.next() > end.offset()) {
      split.lose(
          "the log ends at %d. Kafka lost its end; find out why before anything else."
              .formatted(end.offset()));
    } else if (latestEpoch >= 0 && split.position.leaderEpoch() > latestEpoch) {
      split.lose(
          ("it was read in leader epoch %d, and the log knows none after %d. Kafka lost its end;"
                  + " find out why before anything else.")
              .formatted(split.position.leaderEpoch(), latestEpoch));
    }
  }

  private static <T> T result(String what, KafkaFuture<T> future) {
    if (future == null) {
      throw new IllegalStateException(what + " was never begun.");
    }
    try {
      return future.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw KafkaFailures.of(what, cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogException(Kind.UNAVAILABLE, what + ": the thread was interrupted.", e);
    }
  }
}

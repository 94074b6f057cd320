package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.client.KafkaFailures;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/// Finds the splits that a failure of a fetcher is about, which then cannot be read any more, and
/// tells the owner of the reader of them.
final class ReadFailures {
  private static final int OTHERS_SAID = 20;

  private final ReadSplits splits;
  private final SplitChecks checks;

  ReadFailures(ReadSplits splits, SplitChecks checks) {
    this.splits = splits;
    this.checks = checks;
  }

  /// @throws LogException if a split has failed and is not paused
  void throwFirst() {
    if (splits.anyFailed()) {
      for (ReadSplit split : splits.all()) {
        if (!split.paused) {
          throwFailure(split);
        }
      }
    }
  }

  /// Throws the failure of a split, if any. Its message also has those of others: a person who
  /// mends one of them wants to know of all.
  void throwFailure(ReadSplit split) {
    LogException first = split.failure;
    if (first == null) {
      return;
    }
    StringBuilder message = new StringBuilder(String.valueOf(first.getMessage()));
    int others = 0;
    for (ReadSplit each : splits.all()) {
      LogException other = each.failure;
      if (other != null && other != first && others++ < OTHERS_SAID) {
        message.append('\n').append(other.getMessage());
      }
    }
    throw others == 0
        ? first
        : new LogException(first.kind(), first.split(), message.toString(), first.getCause());
  }

  /// Takes what a fetcher says instead of records.
  void take(KafkaException thrown) {
    switch (thrown) {
      case LogTruncationException e -> e.partitions().forEach(partition -> truncated(partition, e));
      // Asked again, the cluster says what range it has.
      case OffsetOutOfRangeException e -> recheck(e);
      case TopicAuthorizationException e -> failTopics(e.unauthorizedTopics(), e);
      case InvalidTopicException e -> failTopics(e.invalidTopics(), e);
      case AuthenticationException e -> throw KafkaFailures.of("Reading from Kafka", e);
      default -> failNamed(thrown);
    }
    splits.lookForFailures();
  }

  private void truncated(TopicPartition partition, LogTruncationException thrown) {
    ReadSplit split = splits.assigned(partition);
    if (split == null) {
      return;
    }
    OffsetAndMetadata diverged = thrown.divergentOffsets().get(partition);
    split.lose(
        ("leader epoch %d ended before it%s. The log lost its end and was written again; find out"
                + " why before anything else.")
            .formatted(
                split.position.leaderEpoch(), diverged == null ? "" : ", at " + diverged.offset()));
    splits.unassign(List.of(split));
  }

  private void recheck(OffsetOutOfRangeException thrown) {
    List<ReadSplit> again = new ArrayList<>();
    for (TopicPartition partition : thrown.partitions()) {
      ReadSplit split = splits.assigned(partition);
      if (split != null) {
        split.state = ReadSplit.State.UNCHECKED;
        again.add(split);
      }
    }
    splits.unassign(again);
    checks.want();
  }

  private void failTopics(Iterable<String> topics, KafkaException thrown) {
    for (String topic : topics) {
      for (ReadSplit split : splits.assigned()) {
        if (split.split.stream().equals(topic)) {
          fail(split, thrown);
        }
      }
    }
  }

  /// The consumer names the partition of a corrupt batch in its message only.
  private void failNamed(KafkaException thrown) {
    String told = KafkaFailures.text(thrown) + " " + thrown.getMessage();
    for (ReadSplit split : splits.assigned()) {
      String name = Pattern.quote(split.position.partition.toString());
      if (Pattern.compile("(?<![\\w.-])" + name + "(?![0-9])").matcher(told).find()) {
        fail(split, thrown);
        return;
      }
    }
    throw new LogException(
        Kind.REFUSED, "Reading from Kafka failed: " + KafkaFailures.text(thrown), thrown);
  }

  private void fail(ReadSplit split, KafkaException thrown) {
    String what = "Reading %s from offset %d".formatted(split.split, split.position.next());
    LogException why = KafkaFailures.of(split.split, what, thrown);
    // What a retry could mend is retried by the fetcher.
    split.fail(
        why.kind() == Kind.UNAVAILABLE
            ? new LogException(
                Kind.REFUSED, split.split, Objects.requireNonNull(why.getMessage()), thrown)
            : why);
    splits.unassign(List.of(split));
  }
}

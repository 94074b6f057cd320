package dev.millrace.internal.kafka.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/// Asks for the ends of splits that bring no records. The consumer does not tell a split without
/// news from one whose broker does not answer; whoever takes the second for the first would find it
/// idle, and its records late when they come.
final class EndCheck {
  /// How long an answer holds.
  private static final long HOLDS_NANOS = Duration.ofSeconds(10).toNanos();

  /// How old an answer is when the next one is asked for: older than the fetcher lets it become.
  private static final long ASKED_AGAIN_NANOS = Duration.ofSeconds(6).toNanos();

  private final Admin admin;
  private final Map<SplitPosition, KafkaFuture<ListOffsetsResultInfo>> asked = new HashMap<>();
  private long askedNanos;

  EndCheck(Admin admin) {
    this.admin = admin;
  }

  /// The end of a split, -1 if nothing was heard of it for a while. Never waits.
  ///
  /// @param all what else is being read, and may be asked for too
  long endOf(SplitPosition split, Supplier<Collection<SplitPosition>> all, long nowNanos) {
    if (isOld(split, nowNanos, ASKED_AGAIN_NANOS)) {
      takeAnswers();
      if (asked.isEmpty() && isOld(split, nowNanos, ASKED_AGAIN_NANOS)) {
        ask(all.get(), nowNanos);
      }
    }
    return isOld(split, nowNanos, HOLDS_NANOS) ? -1 : split.stableEnd();
  }

  private static boolean isOld(SplitPosition split, long nowNanos, long atMostNanos) {
    return split.stableEnd() < 0 || nowNanos - split.heardNanos() > atMostNanos;
  }

  private void ask(Collection<SplitPosition> all, long nowNanos) {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    List<SplitPosition> old = new ArrayList<>();
    for (SplitPosition each : all) {
      if (isOld(each, nowNanos, ASKED_AGAIN_NANOS)) {
        specs.put(each.partition, OffsetSpec.latest());
        old.add(each);
      }
    }
    askedNanos = nowNanos;
    ListOffsetsResult result =
        admin.listOffsets(specs, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED));
    old.forEach(each -> asked.put(each, result.partitionResult(each.partition)));
  }

  private void takeAnswers() {
    asked
        .entrySet()
        .removeIf(entry -> {
          if (!entry.getValue().isDone()) {
            return false;
          }
          take(entry.getKey(), entry.getValue());
          return true;
        });
  }

  private void take(SplitPosition split, KafkaFuture<ListOffsetsResultInfo> answer) {
    try {
      split.stableEnd(answer.get().offset());
      // It is as old as the question.
      split.heard(askedNanos);
    } catch (ExecutionException | InterruptedException e) {
      // Nothing was heard. What is wrong with the split is told by those who read it.
      assert e instanceof ExecutionException;
    }
  }
}

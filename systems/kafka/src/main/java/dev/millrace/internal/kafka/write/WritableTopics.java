package dev.millrace.internal.kafka.write;

import dev.millrace.internal.kafka.client.KafkaTopics;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.LogException;
import dev.millrace.spi.LogException.Kind;
import dev.millrace.spi.Split;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Caches which splits can be written to, and the largest batch that they accept. A producer would
/// wait for a split that does not exist until its timeout, and divide a batch that is too large
/// without end if one record is about as large as all of it. Used by one thread.
public final class WritableTopics {
  /// What brokers take if nobody says otherwise.
  private static final int USUAL_BATCH_BYTES = 1_048_588;

  private record Known(int partitions, int largestBatchBytes) {}

  private final Consumer<List<Split>> requireExisting;
  private final Function<String, @Nullable TopicInfo> infos;
  private final Map<String, Known> known = new HashMap<>();

  public WritableTopics(KafkaTopics topics) {
    this(topics::requireExisting, topic -> topics.infos(List.of(topic)).get(topic));
  }

  /// @param requireExisting throws if one of them does not exist
  /// @param infos what is known of a topic; null if it does not exist
  public WritableTopics(
      Consumer<List<Split>> requireExisting, Function<String, @Nullable TopicInfo> infos) {
    this.requireExisting = requireExisting;
    this.infos = infos;
  }

  /// Returns the size of the largest batch that the split takes, as far as known.
  ///
  /// @throws LogException of kind `MISSING` if the split does not exist
  int largestBatchBytes(Split split) {
    Known found = known.get(split.stream());
    if (found == null || split.partition() >= found.partitions()) {
      found = look(split);
      known.put(split.stream(), found);
    }
    return found.largestBatchBytes();
  }

  private Known look(Split split) {
    try {
      TopicInfo info = infos.apply(split.stream());
      if (info != null && split.partition() < info.partitions()) {
        String limit = info.settings().get("max.message.bytes");
        return new Known(
            info.partitions(), limit == null ? USUAL_BATCH_BYTES : Integer.parseInt(limit));
      }
    } catch (LogException e) {
      if (e.kind() != Kind.REFUSED) {
        throw e;
      }
      // Who may write to a topic may not always see its settings.
    }
    requireExisting.accept(List.of(split));
    return new Known(split.partition() + 1, USUAL_BATCH_BYTES);
  }

  /// Drops the cached topics, because a failure may be caused by a change of one of them.
  void forget() {
    known.clear();
  }
}

package dev.millrace.testkit.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A record that a job has committed to a topic.
///
/// @param retraction whether it takes back an earlier one, in a topic `withRetractions()`
public record TestRecord<K, V>(
    String topic,
    int partition,
    long offset,
    @Nullable K key,
    @Nullable V value,
    Instant timestamp,
    boolean retraction) {
  @Override
  public String toString() {
    return "%s-%d@%d %s%s = %s (%s)"
        .formatted(topic, partition, offset, retraction ? "not " : "", key, value, timestamp);
  }
}

package dev.millrace.testkit.job;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A record that a job has committed to a topic.
///
/// @param headers the headers as text; of several with one name, the last
/// @param retraction whether it retracts an earlier record, in a topic `withRetractions()`
public record TestRecord<K, V>(
    String topic,
    int partition,
    long offset,
    @Nullable K key,
    @Nullable V value,
    Instant timestamp,
    Map<String, String> headers,
    boolean retraction) {

  /// Returns the value of a header; empty if there is none of that name, or it has no value.
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  @Override
  public String toString() {
    return "%s-%d@%d %s%s = %s (%s)"
        .formatted(topic, partition, offset, retraction ? "not " : "", key, value, timestamp);
  }
}

package dev.millrace.testkit.job;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A record that a job has committed to a topic.
///
/// @param headers as text; of several of one name the last
/// @param retraction whether it takes back an earlier one, in a topic `withRetractions()`
public record TestRecord<K, V>(
    String topic,
    int partition,
    long offset,
    @Nullable K key,
    @Nullable V value,
    Instant timestamp,
    Map<String, String> headers,
    boolean retraction) {

  /// One of the headers; empty if it has none of that name, or one without a value.
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  @Override
  public String toString() {
    return "%s-%d@%d %s%s = %s (%s)"
        .formatted(topic, partition, offset, retraction ? "not " : "", key, value, timestamp);
  }
}

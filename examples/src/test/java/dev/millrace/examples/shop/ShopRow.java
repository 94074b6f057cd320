package dev.millrace.examples.shop;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A record of a topic of the shop, as it is there.
///
/// @param retraction whether it takes back an earlier one
public record ShopRow(
    String topic,
    int partition,
    long offset,
    @Nullable String key,
    @Nullable String value,
    Instant timestamp,
    boolean retraction) {
  private static final String CLOSING = "closing";

  /// Whether it was only written to close windows.
  boolean closes() {
    return key != null && key.startsWith(CLOSING);
  }

  ShopRow withValue(String other) {
    return new ShopRow(topic, partition, offset, key, other, timestamp, retraction);
  }

  String place() {
    return topic + "-" + partition + "@" + offset;
  }
}

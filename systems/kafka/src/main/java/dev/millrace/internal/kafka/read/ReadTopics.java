package dev.millrace.internal.kafka.read;

import dev.millrace.internal.kafka.wire.Wire;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// Keeps what is known of the topics of a fetcher up to date. What is known of a topic that is not
/// read any more is kept for a while: who goes back reads it again at once.
final class ReadTopics {
  private static final Duration REMEMBERED = Duration.ofMinutes(1);

  private final Wire wire;

  /// When the last split was given up of a topic of which none is read.
  private final Map<String, Long> leftNanos = new HashMap<>();

  ReadTopics(Wire wire) {
    this.wire = wire;
  }

  /// Takes over which splits are read.
  void assign(Collection<SplitPosition> before, Collection<SplitPosition> splits) {
    long now = System.nanoTime();
    before.forEach(each -> leftNanos.put(each.split().stream(), now));
    for (SplitPosition each : splits) {
      wire.want(each.split().stream());
      leftNanos.remove(each.split().stream());
    }
    leftNanos
        .entrySet()
        .removeIf(left -> {
          boolean longAgo = now - left.getValue() > REMEMBERED.toNanos();
          if (longAgo) {
            wire.forget(left.getKey());
          }
          return longAgo;
        });
  }
}

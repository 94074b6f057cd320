package dev.millrace.benchmarks.recovery;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import java.nio.ByteBuffer;

/// Counts records by key and keeps 100 bytes a key: the ReadWrite workload of S0, section 6.1. It
/// writes next to nothing but its state.
public final class PaddedCounts implements StreamApplication {
  /// What a key's state takes.
  public static final int VALUE_BYTES = 100;

  private static final long TOLD_EVERY = 1_000;

  private final String name;
  private final String topic;

  public PaddedCounts(String name, String topic) {
    this.name = name;
    this.topic = topic;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void describe(Topology topology) {
    topology
        .from(Kafka.topic(topic).key(Serdes.kafkaLong()).value(Serdes.bytes()))
        .groupByKey()
        .aggregate(
            "counts", () -> new byte[VALUE_BYTES], (count, event) -> next(count), Serdes.bytes())
        .updates()
        .filter(count -> number(count) % TOLD_EVERY == 0)
        .to(Kafka.topic(topic + "-counted").key(Serdes.kafkaLong()).value(Serdes.bytes()));
  }

  private static byte[] next(byte[] count) {
    byte[] next = count.clone();
    ByteBuffer.wrap(next).putLong(0, number(count) + 1);
    return next;
  }

  private static long number(byte[] count) {
    return ByteBuffer.wrap(count).getLong(0);
  }
}

package dev.millrace.benchmarks.recovery;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;

/// Counts records by key and keeps 100 bytes a key: the ReadWrite workload of Noghabi et al.,
/// section 6.1. It writes next to nothing but its state.
public final class PaddedCounts implements StreamApplication {
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
        .from(Kafka.source(topic).key(Serdes.kafkaLong()).value(Serdes.bytes()))
        .groupByKey()
        .aggregate("counts", PaddedCount::zero, (count, event) -> PaddedCount.addOne(count.clone()))
        .as(Serdes.bytes())
        .toStream()
        .filter(count -> PaddedCount.of(count) % TOLD_EVERY == 0)
        .to(Kafka.sink(topic + "-counted").key(Serdes.kafkaLong()).value(Serdes.bytes()));
  }
}
